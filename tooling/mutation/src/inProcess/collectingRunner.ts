/**
 * Vitest's runner, which keeps the tests that have run, so that {@link runAgain} can run them again, and notes which changes each test
 * comes past.
 */
import type { MutantCoverage } from "@stryker-mutator/api/core"
import { TestRunner } from "vitest"
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from "vitest"
import type { Outcome, RanTest, Run } from "./channel.ts"

/** Where Stryker's changed sources look which of their changes is in force, and note which they come past. */
interface Switch {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  mutantCoverage?: MutantCoverage
  hitCount?: number | undefined
  hitLimit?: number | undefined
}
const global = globalThis as { __stryker__?: Switch; sourcewireTests?: Map<string, Array<RunnerTestCase>> }
const mutants = (): Switch => (global.__stryker__ ??= {})
const collected = (): Map<string, Array<RunnerTestCase>> => (global.sourcewireTests ??= new Map())

const nameOf = (task: RunnerTestCase | RunnerTestSuite): string =>
  task.suite === undefined ? task.name : `${nameOf(task.suite)} ${task.name}`
const idOf = (test: RunnerTestCase): string => `${test.file.filepath}#${nameOf(test)}`

const testsIn = (suite: RunnerTestSuite): ReadonlyArray<RunnerTestCase> =>
  suite.tasks.flatMap((task) => (task.type === "suite" ? testsIn(task) : [task]))

export default class CollectingRunner extends TestRunner {
  onCollected(files: ReadonlyArray<RunnerTestFile>): void {
    // The one that runs the others again is none of them.
    for (const test of files.filter(({ name }) => !name.endsWith("serve.test.ts")).flatMap(testsIn)) {
      const id = idOf(test)
      collected().set(id, [...(collected().get(id) ?? []), test])
    }
  }

  override onBeforeTryTask(test: RunnerTestCase, options: { retry: number; repeats: number }): void {
    mutants().currentTestId = idOf(test)
    super.onBeforeTryTask(test, options)
  }

  override onAfterTryTask(test: RunnerTestCase): void {
    super.onAfterTryTask(test)
    mutants().currentTestId = undefined
  }
}

/** What has run so far. */
export const ran = (): ReadonlyArray<RanTest> =>
  [...collected()].map(([id, [test]]) => ({
    id,
    file: test!.file.filepath,
    name: nameOf(test!),
    ms: test!.result?.duration ?? 0,
    state: test!.result?.state === "fail" ? "failed" : test!.result?.state === "pass" ? "passed" : "skipped",
    message: test!.result?.errors?.[0]?.message ?? ""
  }))

/** Which changes each test has come past. */
export const coverage = (): MutantCoverage => mutants().mutantCoverage ?? { static: {}, perTest: {} }

const suitesOf = (suite: RunnerTestSuite | undefined): ReadonlyArray<RunnerTestSuite> =>
  suite === undefined ? [] : [...suitesOf(suite.suite), suite]

/** What the test throws, if it does. */
const failure = async (test: RunnerTestCase): Promise<unknown> => {
  const suites = suitesOf(test.suite ?? test.file)
  try {
    for (const suite of suites) {
      for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) await hook(test.context, suite)
    }
    await TestRunner.getTestFn(test)()
    for (const suite of suites.toReversed()) {
      for (const hook of TestRunner.getSuiteHooks(suite).afterEach) await hook(test.context, suite)
    }
    return undefined
  } catch (cause) {
    return cause ?? new Error("nothing was thrown")
  }
}

/** How long it took, in ms. */
const durationOf = (id: string): number => collected().get(id)?.[0]?.result?.duration ?? 0

/** Runs tests, the shortest first, until one fails. That one runs once more without the change: it must pass then, or something is left of a change. */
export const runAgain = async ({ hitLimit, mutant, tests }: Run): Promise<Outcome> => {
  const state = mutants()
  let count = 0
  state.hitCount = 0
  state.hitLimit = hitLimit
  for (const id of tests.toSorted((a, b) => durationOf(a) - durationOf(b))) {
    for (const test of collected().get(id) ?? []) {
      count++
      state.activeMutant = mutant
      const cause = await failure(test)
      state.activeMutant = undefined
      if (cause === undefined) continue
      const hits = state.hitCount
      const message = cause instanceof Error ? cause.message : String(cause)
      return {
        kind: "outcome",
        ran: count,
        hits,
        failed: { id, message, failsWithoutToo: (await failure(test)) !== undefined }
      }
    }
  }
  return { kind: "outcome", ran: count, hits: state.hitCount }
}
