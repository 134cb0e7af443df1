/**
 * Checks that each block of bytes in the documentation can be decoded, and that the page of each message contains bytes of this message.
 */
import { decode, fromHex } from "@sourcewire/protocol"
import { join as joined } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../../checks/src/workspace.ts"

const pages = globSync("docs/**/*.md", { cwd: root, exclude: ["docs/api/**"] })
  .toSorted()
  .map((path) => [path, readFileSync(join(root, path), "utf8")] as const)
  .filter(([, text]) => /^```hex$|^\| bytes \|/m.test(text))

/** The tag of each message in the blocks of a page, or the error of a message that cannot be decoded. */
const decodeTags = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^```hex\n([\s\S]*?)\n```$/gm)].map(([, block]) => {
    const datagrams = block!.split("\n").map((line) => fromHex(line.replaceAll(" ", ""))!)
    const whole = datagrams.length === 1 ? Result.succeed({ bytes: datagrams[0]! }) : joined(datagrams)
    const message = Result.flatMap(whole, ({ bytes }) => decode(bytes))
    return Result.isSuccess(message) ? message.success._tag : message.failure.message
  })

describe.each(pages)("%s", (path, text) => {
  const tags = decodeTags(text)
  const messages = [...text.matchAll(/^## (\w+)\n[\s\S]*?^\| bytes \|/gm)].map(([, tag]) => tag!)

  it("every block of bytes on the page is a complete message", () => {
    expect(tags.filter((tag) => !/^\w+$/.test(tag))).toEqual([])
    if (!path.endsWith("/unknown.md") && !path.endsWith("/challenge.md")) expect(tags).not.toContain("UnknownMessage")
  })

  it.runIf(messages.length > 0)("the page has a block of bytes for each of its messages", () => {
    expect(messages.filter((message) => !tags.includes(message))).toEqual([])
  })
})
