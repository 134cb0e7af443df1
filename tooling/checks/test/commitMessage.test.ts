/** The optional hook that checks a commit's subject. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { root } from "../src/workspace.ts"

const scratch = mkdtempSync(join(tmpdir(), "sourcewire-hook-"))
afterAll(() => rmSync(scratch, { recursive: true }))

const check = (message: string) => {
  const file = join(scratch, "message")
  writeFileSync(file, message)
  const { status, stderr } = spawnSync("sh", [join(root, "tooling/hooks/commit-msg"), file], { encoding: "utf8" })
  return { status, stderr }
}

describe("the hook commit-msg", () => {
  it.each([
    "Close sockets when a scan ends",
    "x".repeat(72).replace("x", "X"),
    "Embed the page\n\nA body says why.\n# a comment of git",
    "# a comment of git\n\nFeed the scan",
    "Merge branch 'main' into topic",
    'Revert "adds a thing."',
    "fixup! close sockets"
  ])("accepts %j", (message) => {
    expect(check(message)).toEqual({ status: 0, stderr: "" })
  })

  it.each([
    ["", "is empty"],
    ["# only a comment", "is empty"],
    [`X${"x".repeat(72)}`, "has 73 characters"],
    ["Close sockets.", "full stop"],
    ["close sockets", "lower-case"],
    ["Closed sockets", '"Closed" is not imperative'],
    ["Closing sockets", '"Closing" is not imperative'],
    ["Close sockets\nwhen a scan ends", "no empty line"]
  ])("rejects %j", (message, reason) => {
    const { status, stderr } = check(message)
    expect(status).toBe(1)
    expect(stderr).toContain(reason)
  })
})
