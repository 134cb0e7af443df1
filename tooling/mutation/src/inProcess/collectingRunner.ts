/** Vitest's runner, which only loads the tests and keeps them: {@link tryAll} and {@link runAgain} run them. */
import type { MutantCoverage } from "@stryker-mutator/api/core"
import { type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from "vitest"
import type { Outcome, RanTest, Run, Tried } from "./channel.ts"

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

/** The test that runs the others. */
const isServe = ({ name }: RunnerTestFile): boolean => name.endsWith("serve.test.ts")

/**
 * A test that says in its name that it asks the same question of thousands of inputs: with one changed source after the other it would
 * take days, and what only it notices deserves a test that says it.
 */
const isLong = ({ name }: RunnerTestCase): boolean => /\d \d{3}\b/.test(name)

export default class CollectingRunner extends TestRunner {
  onCollected(files: ReadonlyArray<RunnerTestFile>): void {
    for (const test of files.flatMap(testsIn)) {
      if (isServe(test.file) || isLong(test)) continue
      const id = idOf(test)
      collected().set(id, [...(collected().get(id) ?? []), test])
    }
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    if (isServe(test.file)) await TestRunner.getTestFn(test)()
  }
}

const suitesOf = (suite: RunnerTestSuite | undefined): ReadonlyArray<RunnerTestSuite> =>
  suite === undefined ? [] : [...suitesOf(suite.suite), suite]

const thrown = async (test: RunnerTestCase): Promise<unknown> => {
  // A file is its tests' outermost suite, and not their suite's suite.
  const suites = [test.file, ...suitesOf(test.suite)]
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

/** What is known of a test: how long it took when it passed, how often it ran with a change, and how often it failed then. */
interface Experience {
  ms?: number
  runs: number
  failures: number
}
const experiences = new Map<string, Experience>()
const experienceOf = (id: string): Experience => {
  const experience = experiences.get(id) ?? { runs: 0, failures: 0 }
  experiences.set(id, experience)
  return experience
}

/** What the tests of this name throw. One that waits for what never comes has failed after many times its usual time. */
const failure = async (id: string): Promise<string | undefined> => {
  const experience = experienceOf(id)
  const start = performance.now()
  for (const test of collected().get(id) ?? []) {
    const late = Promise.withResolvers<unknown>()
    const limitMs = experience.ms === undefined ? 30_000 : 3000 + 10 * experience.ms
    const timer = setTimeout(() => late.resolve(new Error("the test does not end")), limitMs)
    const cause = await Promise.race([thrown(test), late.promise])
    clearTimeout(timer)
    if (cause !== undefined) return cause instanceof Error ? cause.message : String(cause)
  }
  experience.ms = performance.now() - start
  return undefined
}

/** Runs all tests once, without a change. */
export const tryAll = async (): Promise<Tried> => {
  const tests: Array<RanTest> = []
  for (const [id, [test]] of collected()) {
    // Vitest has skipped the others.
    if (test!.result?.state !== "pass") continue
    mutants().currentTestId = id
    const message = await failure(id)
    mutants().currentTestId = undefined
    const ran = { id, file: test!.file.filepath, name: nameOf(test!), ms: experienceOf(id).ms ?? 0 }
    tests.push(message === undefined ? ran : { ...ran, failure: message })
  }
  return { tests, coverage: mutants().mutantCoverage ?? { static: {}, perTest: {} } }
}

/** What it costs, as far as is known, until this test notices a change. */
const cost = (id: string): number => {
  const { failures, ms = 0, runs } = experienceOf(id)
  return ((ms + 0.1) * (runs + 2)) / (failures + 1)
}

/**
 * Runs tests until one fails, first those that are short or have noticed many changes. The one that fails runs once more without the
 * change: it must pass then, or something is left of a change.
 */
export const runAgain = async ({ hitLimit, mutant, tests }: Run): Promise<Outcome> => {
  const state = mutants()
  const costs = new Map(tests.map((id) => [id, cost(id)]))
  let ran = 0
  state.hitCount = 0
  state.hitLimit = hitLimit
  for (const id of tests.toSorted((a, b) => costs.get(a)! - costs.get(b)!)) {
    ran++
    const experience = experienceOf(id)
    experience.runs++
    state.activeMutant = mutant
    const message = await failure(id)
    state.activeMutant = undefined
    if (message === undefined) continue
    experience.failures++
    const hits = state.hitCount
    return { ran, hits, failed: { id, message, failsWithoutToo: (await failure(id)) !== undefined } }
  }
  return { ran, hits: state.hitCount }
}
