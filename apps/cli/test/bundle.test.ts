import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { bundle, objects, run, start } from "./runCli.ts"

describe("the bundle", () => {
  it("needs nothing but its own files", async () => {
    const files = bundle === undefined ? [] : readdirSync(bundle).filter((file) => !file.endsWith(".js"))
    expect(files.filter((file) => file !== "cache" && file !== "package.json")).toEqual([])
    const { exitCode, stdout } = await run(["demo", "--json"])
    expect(objects(stdout)).toMatchObject([{ ok: true, info: {}, players: {}, rules: {} }])
    expect(exitCode).toBe(0)
  })

  it("compresses replies where a profile does, which loads the compressor", async () => {
    const serving = start(["serve", "--json", "--port", "0", "--profile", "tf2"])
    await serving.printed("\n")
    const address = String(objects(serving.output().stdout)[0]!["listening"])
    const { stderr, stdout } = await run(["rules", "--json", "--trace", address])
    serving.child.kill()
    expect(objects(stdout)).toMatchObject([{ ok: true, rules: { truncated: false } }])
    expect(stderr).toMatch(/source layout, bzip2: RulesReply/)
  })

  it("has completions for every shell", async () => {
    for (const shell of ["bash", "zsh", "fish", "powershell"]) {
      const { exitCode, stdout } = await run(["--completions", shell])
      expect(stdout).toMatch(/players/)
      expect(exitCode).toBe(0)
    }
  })

  it("prints the same version with and without the program", async () => {
    const quick = await run(["--version"])
    const parsed = await run(["info", "--version"])
    expect(quick.stdout).toMatch(/^sourcewire v\d+\.\d+\.\d+\n$/)
    expect(parsed.stdout).toBe(quick.stdout)
  })
})
