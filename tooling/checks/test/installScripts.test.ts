import { describe, expect, it } from "vitest"
import { allowedByPnpm, fetchedPrograms, lifecycleScripts } from "../src/installScripts.ts"

describe("scripts of packages", () => {
  const strict = "packages:\n  - a\nstrictDepBuilds: true\n"

  it("are refused by name, or by none having any", () => {
    expect(allowedByPnpm(strict)).toEqual([])
    expect(allowedByPnpm(`${strict}allowBuilds:\n  # Why.\n  esbuild: false\n  '@scope/a': false\n`)).toEqual([])
  })

  it.each([
    ["allowBuilds:\n  esbuild: true\n", "allowBuilds has esbuild: true"],
    ["allowBuilds:\n  # Why.\n  a: false\n  '@scope/b': true\nother: 1\n", "allowBuilds has @scope/b: true"],
    ["allowBuilds:\n  a: set this to true or false\n", "allowBuilds has a: set this to true or false"],
    ["dangerouslyAllowAllBuilds: true\n", "dangerouslyAllowAllBuilds has no place there"],
    ["onlyBuiltDependencies:\n  - node\n", "onlyBuiltDependencies has no place there"],
    ["ignoredBuiltDependencies:\n  - node\n", "ignoredBuiltDependencies has no place there"],
    ["verifyStoreIntegrity: false\n", "verifyStoreIntegrity is not true"]
  ])("may not be allowed by %j", (setting, problem) => {
    expect(allowedByPnpm(strict + setting)).toEqual([problem])
  })

  it("may not be left out without a word", () => {
    expect(allowedByPnpm("strictDepBuilds: false\n")).toEqual(["strictDepBuilds is not true"])
    expect(allowedByPnpm("packages:\n  - a\n")).toEqual(["strictDepBuilds is not true"])
  })

  it("of our own may not run either", () => {
    expect(lifecycleScripts({ build: "tsup", prepare: "x", postinstall: "x", "install-page": "x" })).toEqual([
      "postinstall",
      "prepare"
    ])
    expect(lifecycleScripts(undefined)).toEqual([])
  })
})

describe("programs that are fetched", () => {
  it.each([
    "npx --yes pnpm@12 install",
    'spawn("npx", ["pnpm"])',
    "pnpm dlx cowsay",
    'run("pnpm", ["dlx", "cowsay"])',
    "npm init something",
    "npm exec --package=cowsay cowsay",
    "bunx cowsay",
    "corepack enable"
  ])("are found in %s", (text) => {
    expect(fetchedPrograms(text)).toHaveLength(1)
  })

  it.each(["pnpm run check", "npm ci --ignore-scripts", "pnpm exec vitest", "npm test", "sandbox of pnpm"])(
    "are not in %s",
    (text) => {
      expect(fetchedPrograms(text)).toEqual([])
    }
  )
})
