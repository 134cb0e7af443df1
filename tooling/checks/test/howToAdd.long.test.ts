/** Each patch of docs/how-to-add, applied to a copy of the tree: what it changes has no type errors, and its tests pass. */
import { spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { files, type Manifest, read, root } from "../src/workspace.ts"

const folder = "docs/how-to-add"
const patches = globSync(`${folder}/*.patch`, { cwd: root })

let copy = ""

beforeEach(() => {
  copy = realpathSync(mkdtempSync(join(tmpdir(), "how-to-add-")))
  for (const file of files()) cpSync(join(root, file), join(copy, file))
})
afterEach(() => rmSync(copy, { recursive: true, force: true }))

/** Ends well, or the test fails with what it said. */
const run = (command: string, args: ReadonlyArray<string>, cwd = copy): void => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST$)/.test(name))
  const options = { cwd, encoding: "utf8", env: Object.fromEntries(inherited) } as const
  const { status, stderr, stdout } = spawnSync(command, args, options)
  expect(status, `${args.join(" ")}\n${stdout}${stderr}`).toBe(0)
}
const runNode = (args: ReadonlyArray<string>, cwd?: string): void => run(process.execPath, args, cwd)
const installed = (path: string): string => join(root, "node_modules", path)

const manifestOf = (dir: string): Manifest & { readonly devDependencies?: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync(join(copy, dir, "package.json"), "utf8"))

/** Installs nothing: what the copy's packages need is here, and each other they have in the copy. */
const linkDependencies = (): void => {
  symlinkSync(installed(""), join(copy, "node_modules"), "junction")
  const dirs = globSync(["{packages,apps,tooling}/*/package.json", "examples/package.json"], { cwd: copy }).map(dirname)
  const byName = new Map(dirs.map((dir) => [manifestOf(dir).name, join(copy, dir)]))
  for (const dir of dirs) {
    const { dependencies, devDependencies } = manifestOf(dir)
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const own = join(root, dir, "node_modules", name)
      const target = byName.get(name) ?? (existsSync(own) ? own : installed(name))
      const link = join(copy, dir, "node_modules", name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(target, link, "junction")
    }
  }
}

it.each(patches)("%s", { timeout: 600_000 }, (patch) => {
  run("git", ["apply", patch])
  linkDependencies()
  const changed = [...read(patch).matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, file]) => file!)
  expect(changed.filter((file) => !existsSync(join(copy, file)))).toEqual([])
  if (changed.some((file) => file.includes("/declarations/")))
    runNode(["scripts/generate.ts"], join(copy, "packages/protocol"))
  const touched = new Set(changed.flatMap((file) => /^(?:packages|apps)\/[^/]+/.exec(file) ?? []))
  for (const dir of touched) runNode([installed("typescript/bin/tsc"), "-p", dir])
  const tests = changed.filter((file) => file.endsWith(".test.ts"))
  expect(tests).not.toEqual([])
  runNode([installed("vitest/vitest.mjs"), "run", ...tests])
})
