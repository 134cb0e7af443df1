/**
 * Runs the tests of the store with Node, Bun and Deno, one after the other. Each runtime also reads the data that the previous runtime has
 * written.
 */
import { describe, expect, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll } from "vitest"
import { programs } from "../../../tooling/programs/programs.mjs"
import { storeSuite } from "./storeSuite.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-runtimes-"))
afterAll(() => rmSync(directory, { recursive: true }))

const script = fileURLToPath(new URL("storeOnRuntime.ts", import.meta.url))

const titles: Array<string> = []
storeSuite(
  (title) => void titles.push(title),
  () => () => {
    throw new Error("This file uses only the titles of the tests.")
  }
)

/** The number of changes that must be in the store. Each run adds one change, and prints how many changes the store contains. */
let written = 0

describe("the store", () => {
  const file = join(directory, "monitor.db")
  it.each([
    ["node", []],
    ["bun", []],
    ["deno", ["run", "-A", "--no-lock"]],
    ["node", []]
  ] as const)("passes its tests on %s, and reads the data of earlier runs from the same file", (runtime, flags) => {
    const program = runtime === "node" ? process.execPath : programs[runtime]
    const { stderr, stdout } = spawnSync(program, [...flags, script, file], { encoding: "utf8" })
    const expected = [...titles, `${++written} changes`, ""].join("\n")
    expect({ stdout, stderr: stdout === expected ? "" : stderr }).toEqual({ stdout: expected, stderr: "" })
  })
})
