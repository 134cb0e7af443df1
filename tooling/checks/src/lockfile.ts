/**
 * Checks the lockfiles:
 *
 * - Every package has a SHA-512 hash, and no package may run a script during installation. pnpm's settings enforce both rules during
 *   installation. This check fails if somebody weakens these settings, or adds an entry without a hash (a git or tarball dependency).
 * - If the lockfile contains a program for Linux, it also contains this program for macOS and Windows. When pnpm writes the lockfile on
 *   Linux, it may omit the programs for the other systems.
 */
import { conclude, read } from "./workspace.ts"

const HASH = "sha512-[\\w+/]{86}=="

const entries = (file: string, resolution: RegExp, hashed: RegExp): ReadonlyArray<string> =>
  [...read(file).matchAll(resolution)].filter(([entry]) => !hashed.test(entry)).map(([entry]) => `${file}: ${entry}`)

const settings = read("pnpm-workspace.yaml")
const problems = [
  ...entries("pnpm-lock.yaml", /^ {4}resolution: .*$/gm, new RegExp(`integrity: ${HASH}[,}]`)).map(
    (entry) => `${entry} has no hash`
  ),
  ...entries("tooling/binaries/runtimes/package-lock.json", /^ {6}"integrity": .*$/gm, new RegExp(`"${HASH}"`)).map(
    (entry) => `${entry} has no hash`
  )
]
/**
 * The registry has the packages `node-…` and `node22-…` for Linux and macOS, but not for Windows. On Windows, the developer's own Node
 * runs the scripts of the repository.
 */
const NOT_FOR_WINDOWS = /^node(22)?-/
const locked = [...read("pnpm-lock.yaml").matchAll(/^ {2}'?([^'\s]+)@[^'\s]+'?:$/gm)].map(([, name]) => name!)
const families = new Set(locked.flatMap((name) => /^(.+[/-])linux(?=-|$)/.exec(name)?.[1] ?? []))
for (const family of families) {
  for (const system of NOT_FOR_WINDOWS.test(family) ? ["darwin"] : ["darwin", "win"]) {
    if (locked.some((name) => name.startsWith(family + system))) continue
    problems.push(`pnpm-lock.yaml: no ${family}${system}…; run \`pnpm install --lockfile-only --fix-lockfile\``)
  }
}
if (!/^strictDepBuilds: true$/m.test(settings)) problems.push("pnpm-workspace.yaml: strictDepBuilds is not true")
for (const [line] of settings.matchAll(/^ +\S+: true$/gm)) {
  problems.push(`pnpm-workspace.yaml: "${line.trim()}" allows a package to run a script during installation`)
}
conclude(problems, "Every locked package has a hash; none runs a script during installation")
