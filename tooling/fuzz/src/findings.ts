/** Reads and writes the findings of campaigns. Each finding has a file, which is a regression test. */
import { fromHex, toHex } from "@sourcewire/protocol"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Input } from "./Target.ts"

const folder = fileURLToPath(new URL("../findings/", import.meta.url))

/** An input that caused a failure, and the message of its error. */
interface Finding {
  readonly target: string
  /** The message of the error that the input caused when the finding was written. */
  readonly complaint: string
  /** The parts of the input, in hexadecimal. */
  readonly parts: ReadonlyArray<string>
}

export const readFindings = (): ReadonlyArray<Finding & { readonly file: string }> =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name.endsWith(".json"))
    .map(({ name }) => ({ ...(JSON.parse(readFileSync(folder + name, "utf8")) as Finding), file: name }))

/** Returns the input of a finding. Throws an error if a part of the input is not valid hexadecimal. */
export const parseInput = ({ parts, target }: Finding): Input =>
  parts.map((part) => {
    const bytes = fromHex(part)
    if (bytes === undefined) throw new Error(`a part of a finding of ${target} is no hex`)
    return bytes
  })

/** Writes a finding to a new file. Returns the path from the root. */
export const writeFinding = (target: string, complaint: string, input: Input): string => {
  const parts = input.map((part) => toHex(part))
  const hash = createHash("sha256").update(parts.join(" ")).digest("hex").slice(0, 8)
  const name = `${target.replaceAll(/[^a-z0-9]+/g, "-").replace(/-$/, "")}-${hash}.json`
  mkdirSync(folder, { recursive: true })
  writeFileSync(folder + name, `${JSON.stringify({ target, complaint, parts } satisfies Finding, null, 2)}\n`)
  return `tooling/fuzz/findings/${name}`
}
