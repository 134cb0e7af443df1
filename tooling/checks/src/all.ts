/**
 * Runs all checks, two at a time, and then the tests. If a check fails, its output is printed, and the other checks and the tests still
 * run.
 *
 *     npm test              checks and tests that take minutes
 *     npm run test:full     longer checks and tests: tarballs, every runtime, a browser, a million fuzzed inputs, a soak test
 *
 * CI runs both commands.
 *
 * The last line is `N passed, N failed`. The first number is the number of passed tests, without the checks. The second number is the sum
 * of the failed tests and the failed checks.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, relative } from "node:path"
import { slowTests } from "./slowTests.ts"
import { root } from "./workspace.ts"

const env = {
  ...process.env,
  // The compile cache halves the time that a program in TypeScript needs to start. The steps and tests start hundreds of such programs.
  NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
  PATH: join(root, "node_modules", ".bin") + delimiter + process.env["PATH"],
  TURBO_TELEMETRY_DISABLED: "1",
  TURBO_NO_UPDATE_NOTIFIER: "1",
  DO_NOT_TRACK: "1"
}
const shell = process.platform === "win32"

/**
 * Steps that run one after the other. Each step begins with the name of a script in the root package.json. After this name, a step may
 * contain arguments for the script.
 */
type Sequence = ReadonlyArray<string>

// Each of the modes `quick` and `long` has two sequences, which run at the same time. A third sequence would not save time, because a CI
// runner rarely has more than two cores, and the compiler itself uses several cores.
const quick: ReadonlyArray<Sequence> = [
  ["check"],
  ["unused", "boundaries", "lint", "format:check", "generate:check", "lockfile"]
]

const long: ReadonlyArray<Sequence> = [
  ["fuzz --runs 1000000"],
  ["build", "packages:check", "bench sizes", "binaries:test", "naming", "doc-comments", "prose", "dependencies"]
]

const isLong = process.argv[2] === "full"

/** If a step fails, this number of characters from the end of its output is printed again after the tests. */
const SHOWN_AGAIN = 4000

/** The output of failed steps. */
const failedSteps = new Map<string, string>()

const runStep = (name: string): Promise<void> =>
  new Promise((resolve) => {
    const start = performance.now()
    const child = spawn("pnpm", ["run", ...name.split(" ")], {
      cwd: root,
      env,
      shell,
      stdio: ["ignore", "pipe", "pipe"]
    })
    const output: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk))
    child.on("error", (error) => output.push(Buffer.from(`${error.message}\n`)))
    child.on("close", (status) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      console.log(`${status === 0 ? "✓" : "✗"} ${name.padEnd(19)} ${seconds.padStart(6)} s`)
      if (status !== 0) {
        const printed = Buffer.concat(output).toString()
        failedSteps.set(name, printed)
        process.stdout.write(printed)
      }
      resolve()
    })
  })

const runSequence = async (steps: Sequence): Promise<void> => {
  for (const name of steps) await runStep(name)
}

/** The fields of vitest's JSON report that this program reads. */
interface TestReport {
  readonly success: boolean
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly duration?: number }>
  }>
}

/** Limit for the duration of a test. A test that takes longer needs a reason in `slowTests.ts`. */
const SLOW_MS = 5000

/**
 * Prints slow tests for which `slowTests.ts` contains no reason. Slow tests do not fail the run, because a busy machine slows down every
 * test.
 */
const printSlowTests = ({ testResults }: TestReport): void => {
  const slow = testResults
    .flatMap(({ assertionResults, name }) => {
      const file = relative(root, name).replaceAll("\\", "/")
      return assertionResults.map(({ duration = 0, fullName }) => ({ duration, file, fullName }))
    })
    .filter(({ duration, file }) => duration > SLOW_MS && !Object.hasOwn(slowTests, file))
    .toSorted((a, b) => b.duration - a.duration)
  if (slow.length === 0) return
  console.log(
    `${slow.length} tests took longer than ${SLOW_MS / 1000} s and are not in tooling/checks/src/slowTests.ts:`
  )
  for (const { duration, file, fullName } of slow) {
    console.log(`  ${(duration / 1000).toFixed(1).padStart(6)} s  ${file}: ${fullName}`)
  }
}

const runTests = (): { readonly passed: number; readonly failed: number } => {
  const scratch = mkdtempSync(join(tmpdir(), "sourcewire-tests-"))
  const file = join(scratch, "report.json")
  try {
    const mode = isLong ? ["--mode", "long"] : []
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`]
    const { status } = spawnSync("vitest", ["run", ...mode, ...reporters], {
      cwd: root,
      env,
      shell,
      stdio: "inherit"
    })
    const report = JSON.parse(readFileSync(file, "utf8")) as TestReport
    printSlowTests(report)
    const unloaded = report.testResults.filter((one) => one.status === "failed" && one.assertionResults.length === 0)
    const failed = report.numFailedTests + unloaded.length
    return { passed: report.numPassedTests, failed: status === 0 ? failed : Math.max(failed, 1) }
  } catch (error) {
    console.log(error)
    return { passed: 0, failed: 1 }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

const treeState = (): string => spawnSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }).stdout

const treeBefore = treeState()
await Promise.all((isLong ? long : quick).map(runSequence))
const tests = runTests()
// The run must not change the working tree. This is checked only in CI, because a developer's editor may save a file during the run.
if (process.env["CI"] !== undefined && treeState() !== treeBefore) {
  failedSteps.set("clean tree", `the run changed the working tree:\n${treeState()}`)
}
// The output of failed steps is printed a second time here, because the tests may have printed thousands of lines after it.
for (const [name, printed] of failedSteps) console.log(`✗ ${name}\n${printed.slice(-SHOWN_AGAIN)}`)
const failed = tests.failed + failedSteps.size
console.log(`${tests.passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
