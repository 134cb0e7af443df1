import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Lock, readNpmLock, readPnpmLock, unhashed, unlocked } from "../src/lockfiles.ts"

const HASH = `sha512-${"A".repeat(86)}==`
const pnpmLock = (resolution: string) => `lockfileVersion: '9.0'

importers:

  .:
    devDependencies:
      tool:
        specifier: 1.0.0
        version: 1.0.0

packages:

  '@scope/tool-linux-x64@1.0.0':
    resolution: ${resolution}
    cpu: [x64]
    os: [linux]

  tool@1.0.0:
    resolution: {integrity: ${HASH}}
    hasBin: true
    bundledDependencies:
      - brought

snapshots:

  tool@1.0.0:
    optionalDependencies:
      '@scope/tool-linux-x64': 1.0.0
`

describe("a lockfile", () => {
  it("of pnpm pins packages by SHA-512, and says which bring others with them", () => {
    const lock = readPnpmLock(pnpmLock(`{integrity: ${HASH}}`))
    expect(lock.get("@scope/tool-linux-x64@1.0.0")).toEqual({ hashed: true, bundles: false })
    expect(lock.get("tool@1.0.0")).toEqual({ hashed: true, bundles: true })
    expect(lock.size).toBe(2)
    expect(unhashed(lock)).toEqual([])
  })

  it.each([
    "{tarball: file:tool.tgz}",
    "{type: git, repo: example, commit: 0123456}",
    "{directory: ../tool, type: directory}",
    "{integrity: sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=}",
    "{integrity: sha512-short==}"
  ])("of pnpm that says %s pins nothing", (resolution) => {
    expect(unhashed(readPnpmLock(pnpmLock(resolution)))).toEqual(["@scope/tool-linux-x64@1.0.0"])
  })

  it("of npm names packages by their own name, and the ones without a hash are found", () => {
    const lock = readNpmLock(
      JSON.stringify({
        packages: {
          "": { name: "root" },
          "node_modules/alias": { name: "@scope/real", version: "1.0.0", integrity: HASH },
          "node_modules/@scope/inner": { version: "2.0.0", integrity: HASH },
          "node_modules/bare": { version: "3.0.0" }
        }
      })
    )
    expect([...lock.keys()]).toEqual(["@scope/real@1.0.0", "@scope/inner@2.0.0", "bare@3.0.0"])
    expect(unhashed(lock)).toEqual(["bare@3.0.0"])
  })
})

describe("what is installed", () => {
  let root = ""
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const link = (path: string, target: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(join(root, target), join(root, path), "junction")
  }
  const install = (name: string, version = "1.0.0") => {
    const directory = `node_modules/.pnpm/${name.replace("/", "+")}@${version}/node_modules/${name}`
    write(`${directory}/package.json`, JSON.stringify({ name, version }))
    return directory
  }
  const shim = (path: string, target: string) => write(path, `#!/bin/sh\nexec x\n# cmd-shim-target=${target}\n`)

  const lock: Lock = new Map(
    ["tool", "@scope/dependency", "bare"].map((name) => [
      `${name}@1.0.0`,
      { hashed: name !== "bare", bundles: name === "@scope/dependency" }
    ])
  )
  const problems = () => unlocked(root, [".", "packages/ours"], lock)

  // The root depends on a tool, and this on a package with a bundled one; ours depends on nothing and has a program.
  let [tool, dependency] = ["", ""]
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "sourcewire-locked-")))
    tool = install("tool")
    dependency = install("@scope/dependency")
    write("packages/ours/bin/ours.mjs", "")
    write(`${tool}/bin/tool.js`, "")
    write(`${dependency}/node_modules/brought/package.json`, JSON.stringify({ name: "brought", version: "1.0.0" }))
    link("node_modules/tool", tool)
    link("node_modules/ours", "packages/ours")
    link("node_modules/.pnpm/tool@1.0.0/node_modules/@scope/dependency", dependency)
    shim("node_modules/.bin/tool", `../.pnpm/tool@1.0.0/node_modules/tool/bin/tool.js`)
    shim("node_modules/.bin/ours", "../../packages/ours/bin/ours.mjs")
  })
  afterEach(() => rmSync(root, { recursive: true }))

  it("is fine when every package is locked", () => {
    expect(problems()).toEqual([])
  })

  it("may not be a version that the lockfile does not have", () => {
    link("packages/ours/node_modules/tool", install("tool", "1.0.1"))
    expect(problems()).toEqual([expect.stringContaining("no lockfile has a hash of tool@1.0.1")])
  })

  it("may not have a dependency without a hash, however deep", () => {
    link("node_modules/.pnpm/@scope+dependency@1.0.0/node_modules/bare", install("bare"))
    expect(problems()).toEqual([expect.stringContaining("no lockfile has a hash of bare@1.0.0")])
  })

  // What npm's package node did.
  it("may not hold packages that a script put inside another", () => {
    write(`${tool}/node_modules/tool-linux-x64/package.json`, JSON.stringify({ name: "tool-linux-x64" }))
    expect(problems()).toEqual([`${tool}/node_modules: tool-linux-x64 came from elsewhere than a lockfile`])
  })

  it("may not lie in node_modules by hand", () => {
    write("node_modules/planted/package.json", JSON.stringify({ name: "planted", version: "1.0.0" }))
    expect(problems()).toEqual(["node_modules/planted: no lockfile has a hash of planted@1.0.0"])
  })

  it("may not be a link to a folder that is no package of the workspace", () => {
    write("elsewhere/package.json", "{}")
    link("packages/ours/node_modules/linked", "elsewhere")
    expect(problems()).toEqual(["packages/ours/node_modules/linked: leads to elsewhere"])
  })

  it("may not be started by a script or a link that leads to something else", () => {
    write("download/program", "")
    shim("node_modules/.bin/fetched", "../../download/program")
    write("node_modules/.bin/written", "#!/bin/sh\n")
    write(`${install("bare")}/bin/bare.js`, "")
    shim("node_modules/.bin/bare", "../.pnpm/bare@1.0.0/node_modules/bare/bin/bare.js")
    expect(problems()).toEqual(
      ["bare", "fetched", "written"].map((name) => `node_modules/.bin/${name}: starts what no lockfile has`)
    )
  })
})
