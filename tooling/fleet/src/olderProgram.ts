/**
 * Builds an older version of the program, without the newest migration of the database schema. The source is the last commit before this
 * migration was added. If the clone does not contain that commit, this module removes the newest migration from the current source and
 * builds that source.
 */
import { execFileSync } from "node:child_process"
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { programs } from "../../programs/programs.mjs"
import { root } from "../../bench/Bench.ts"

const STORE = "packages/monitor/src/store"

const run = (program: string, args: ReadonlyArray<string>, cwd: string, input?: Buffer): Buffer =>
  execFileSync(program, args, {
    cwd,
    env: { ...process.env, PATH: join(root, "node_modules/.bin") + delimiter + process.env["PATH"] },
    maxBuffer: 1 << 30,
    stdio: ["pipe", "pipe", "pipe"],
    ...(input === undefined ? {} : { input })
  })

const git = (...args: ReadonlyArray<string>): string => run("git", args, root).toString().trim()

/** Number of schema migrations that the source contains at a commit. */
const stepsIn = (commit: string): number =>
  git("grep", "-h", "^ *statements: (", commit, "--", STORE).split("\n").length

/** The last commit before the newest migration was added. `undefined` if the history of the clone does not contain this commit. */
const commitBefore = (): string | undefined => {
  const commits = git("log", "--format=%H", "--", STORE).split("\n")
  const today = stepsIn("HEAD")
  const older = commits.findIndex((commit) => stepsIn(commit) < today)
  return older < 1 ? undefined : git("rev-parse", `${commits[older - 1]}^`)
}

export interface OlderProgram {
  readonly command: ReadonlyArray<string>
  readonly what: string
  readonly remove: () => void
}

export const buildOlderProgram = (): OlderProgram => {
  const before = commitBefore()
  const folder = mkdtempSync(join(tmpdir(), "sourcewire-older-"))
  const remove = (): void => rmSync(folder, { recursive: true })
  try {
    const source = join(folder, "source")
    mkdirSync(source)
    run("tar", ["-x"], source, run("git", ["archive", before ?? "HEAD"], root))
    if (before === undefined) {
      const steps = join(source, STORE, "migrations.ts")
      writeFileSync(steps, readFileSync(steps, "utf8").replace("export const migrations", "const all"))
      appendFileSync(steps, "export const migrations = all.slice(0, -1)\n")
    }
    run("pnpm", ["install", "--frozen-lockfile", "--prefer-offline", "--ignore-scripts"], source)
    const built = join(folder, "program")
    run(programs.node, ["../../tooling/presets/program.ts", built], join(source, "apps/cli"))
    writeFileSync(join(built, "package.json"), '{ "type": "module" }')
    rmSync(source, { recursive: true })
    return {
      command: [programs.node, join(built, "sourcewire.js")],
      what: before === undefined ? "today's, without the newest step" : `that of commit ${before.slice(0, 7)}`,
      remove
    }
  } catch (error) {
    remove()
    throw error
  }
}
