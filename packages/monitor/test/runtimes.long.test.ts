/** The store on the other runtimes, by the same calls: what one of them wrote the next one reads. */
import { describe, expect, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-runtimes-"))
afterAll(() => rmSync(directory, { recursive: true }))

const bin = fileURLToPath(new URL("../../../node_modules/.bin/", import.meta.url))
const script = fileURLToPath(new URL("storeOnce.ts", import.meta.url))

/** Each run writes a change, and says how many there are. */
let written = 0

describe("the store", () => {
  const file = join(directory, "monitor.db")
  it.each([
    ["node", []],
    ["bun", []],
    ["deno", ["run", "-A", "--no-lock"]],
    ["node", []]
  ])("on %s goes on with what is there", (runtime, flags) => {
    const program = runtime === "node" ? process.execPath : join(bin, runtime)
    const { stderr, stdout } = spawnSync(program, [...flags, script, file], { encoding: "utf8" })
    expect({ stdout, stderr: stdout === "" ? stderr : "" }).toEqual({ stdout: `${++written}\n`, stderr: "" })
  })
})
