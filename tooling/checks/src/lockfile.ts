/**
 * Every package in the lockfiles has a SHA-512 hash, and no package may run a script during installation. pnpm itself enforces both
 * at installation; this check notices a change to its settings or an entry without a hash (a git or tarball dependency).
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
if (!/^strictDepBuilds: true$/m.test(settings)) problems.push("pnpm-workspace.yaml: strictDepBuilds is not true")
for (const [line] of settings.matchAll(/^ +\S+: true$/gm)) {
  problems.push(`pnpm-workspace.yaml: "${line.trim()}" allows a package to run a script during installation`)
}
conclude(problems, "Every locked package has a hash; none runs a script during installation")
