import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { objects } from "./runCli.ts"

const app = fileURLToPath(new URL("..", import.meta.url))
const directory = mkdtempSync(join(tmpdir(), "sourcewire-"))

/** Runs a file of the directory, far from any `node_modules`. */
const node = (...args: ReadonlyArray<string>) => spawnSync(process.execPath, args, { cwd: directory, encoding: "utf8" })

/** Serves a profile whose rules are compressed; resolves once it listens. */
const serveCompressed = async () => {
  const serving = spawn(process.execPath, ["sourcewire.js", "serve", "--port", "0", "--profile", "tf2"], {
    cwd: directory
  })
  const [line] = (await once(serving.stdout, "data")) as [Buffer]
  const [listening] = objects(line.toString())
  return { serving, address: String(listening!["listening"]) }
}

beforeAll(() => {
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup")), "cli-default.js")
  const built = spawnSync(process.execPath, [tsup, "--silent", "--out-dir", directory], { cwd: app, encoding: "utf8" })
  expect(built).toMatchObject({ status: 0, stderr: "" })
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }')
})

afterAll(() => rmSync(directory, { recursive: true }))

describe("the bundle", () => {
  it("is one file that needs nothing else", () => {
    expect(readdirSync(directory).toSorted()).toEqual(["package.json", "sourcewire.js"])
    const decoded = node("sourcewire.js", "decode", "--json", "ffffffff414ba1d522")
    expect(objects(decoded.stdout)).toMatchObject([{ ok: true, message: { _tag: "ChallengeReply" } }])
    const { status, stdout } = node("sourcewire.js", "demo", "--json")
    expect(objects(stdout)).toMatchObject([{ ok: true, info: {}, players: {}, rules: {} }])
    expect(status).toBe(0)
  })

  it("compresses replies where a profile does, which loads the compressor", async () => {
    const { serving, address } = await serveCompressed()
    const { stderr, stdout } = node("sourcewire.js", "rules", "--json", "--trace", address)
    serving.kill()
    expect(objects(stdout)).toMatchObject([{ ok: true, rules: { truncated: false } }])
    expect(stderr).toMatch(/source layout, bzip2: RulesReply/)
  })

  it("has completions for every shell", () => {
    for (const shell of ["bash", "zsh", "fish", "powershell"]) {
      const { status, stdout } = node("sourcewire.js", "--completions", shell)
      expect(stdout).toMatch(/players/)
      expect(status).toBe(0)
    }
  })

  it("prints the same version with and without the program", () => {
    const quick = node("sourcewire.js", "--version")
    const parsed = node("sourcewire.js", "info", "--version")
    expect(quick.stdout).toMatch(/^sourcewire v\d+\.\d+\.\d+\n$/)
    expect(parsed.stdout).toBe(quick.stdout)
  })

  it("answers --version before the program is compiled", () => {
    // The file says so itself if anything but its first lines runs.
    const spy = `import vm from "node:vm"; vm.Script = class { constructor() { throw new Error("compiled") } }`
    writeFileSync(join(directory, "spy.mjs"), spy)
    expect(node("--import", "./spy.mjs", "sourcewire.js", "--version")).toMatchObject({ status: 0, stderr: "" })
    expect(node("--import", "./spy.mjs", "sourcewire.js", "--help").stderr).toMatch(/compiled/)
  })
})
