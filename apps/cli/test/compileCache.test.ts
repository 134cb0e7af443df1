import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { bundle, run } from "./runCli.ts"

let caches: string
let ours: string

beforeEach(() => {
  caches = mkdtempSync(join(tmpdir(), "sourcewire-caches-"))
  ours = join(caches, "sourcewire")
})
afterEach(() => rmSync(caches, { recursive: true }))

/** Runs `decode` with a home directory that no other test uses. */
const decode = (env: Readonly<Record<string, string>> = {}) =>
  run(["decode", "--json", "ffffffff414ba1d522"], {
    env: { HOME: caches, XDG_CACHE_HOME: caches, ...env },
    ownCache: true
  })

// Single-file programs do not use Node's compile cache.
describe.runIf(bundle !== undefined)("the compile cache of Node", () => {
  it("is stored in a private folder, and replaces the caches of other versions of the program", async () => {
    mkdirSync(join(ours, "0.0.0-older"), { recursive: true })
    expect((await decode()).exitCode).toBe(0)
    const versions = readdirSync(ours)
    expect(versions).toHaveLength(1)
    expect(versions).not.toContain("0.0.0-older")
    expect(statSync(join(ours, versions[0]!)).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(ours, versions[0]!))).toHaveLength(1)
    const again = await decode()
    expect(again).toMatchObject({ exitCode: 0, stderr: "" })
  })

  it("is not written to a folder that other users can change", async () => {
    mkdirSync(ours)
    chmodSync(ours, 0o777)
    expect((await decode()).exitCode).toBe(0)
    expect(readdirSync(ours).flatMap((version) => readdirSync(join(ours, version)))).toEqual([])
  })

  it("is not used if the user has disabled it, or if its folder cannot be created", async () => {
    expect((await decode({ NODE_DISABLE_COMPILE_CACHE: "1" })).exitCode).toBe(0)
    expect(existsSync(ours)).toBe(false)
    writeFileSync(ours, "")
    expect(await decode()).toMatchObject({ exitCode: 0, stderr: "" })
    expect((await decode({ HOME: "", XDG_CACHE_HOME: "" })).exitCode).toBe(0)
  })
})
