/**
 * A test runner for Stryker: vitest, which loads sources and tests once and runs tests again for each change. Stryker's own runner for
 * vitest makes a worker and loads everything for each, which takes a hundred times as long as most of our tests.
 *
 * A change that brings about a loop without end stops all this; Stryker then starts it anew.
 */
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin"
import {
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestRunner,
  TestStatus
} from "@stryker-mutator/api/test-runner"
import { createVitest, type Vitest } from "vitest/node"
import { CHANNEL, type Outcome, type Question, type Run, type Tried } from "./channel.ts"

const CONFIG = "tooling/mutation/target.config.ts"

class InProcessRunner implements TestRunner {
  private vitest: Vitest | undefined
  private channel: InstanceType<typeof BroadcastChannel> | undefined

  capabilities() {
    return { reloadEnvironment: false }
  }

  async init(): Promise<void> {
    process.env["NODE_ENV"] = "test"
    this.channel = new BroadcastChannel(CHANNEL)
    const ready = this.next()
    this.vitest = await createVitest("test", { config: CONFIG, watch: false, onConsoleLog: () => false })
    void this.vitest.start()
    await ready
  }

  async dryRun(): Promise<DryRunResult> {
    const { coverage, tests } = await this.ask<Tried>({ kind: "try all" })
    return {
      status: DryRunStatus.Complete,
      mutantCoverage: coverage,
      tests: tests.map(({ failure, file, id, ms, name }) => {
        const test = { id, name, fileName: file, timeSpentMs: ms }
        return failure === undefined
          ? { ...test, status: TestStatus.Success }
          : { ...test, status: TestStatus.Failed, failureMessage: failure }
      })
    }
  }

  async mutantRun({ activeMutant, testFilter = [], ...options }: MutantRunOptions): Promise<MutantRunResult> {
    // Stryker's is a hundred times what all tests come past without the change, which takes longer than its patience where they are many.
    const hitLimit = options.hitLimit === undefined ? undefined : options.hitLimit / 10
    const run: Run = { kind: "run", mutant: activeMutant.id, tests: testFilter, hitLimit }
    let { failed, hits, ran } = await this.ask<Outcome>(run)
    // Something is left of this change or of one before it, which must not be put down to this one.
    if (failed?.failsWithoutToo === true) {
      await this.dispose()
      await this.init()
      ;({ failed, hits, ran } = await this.ask<Outcome>(run))
    }
    if (hitLimit !== undefined && hits > hitLimit)
      return { status: MutantRunStatus.Timeout, reason: "no end of a loop" }
    return failed === undefined
      ? { status: MutantRunStatus.Survived, nrOfTests: ran }
      : { status: MutantRunStatus.Killed, nrOfTests: ran, killedBy: [failed.id], failureMessage: failed.message }
  }

  async dispose(): Promise<void> {
    this.channel?.postMessage({ kind: "end" })
    await this.vitest?.close()
    this.channel?.close()
  }

  private ask<A>(question: Question): Promise<A> {
    const answer = this.next<A>()
    this.channel!.postMessage(question)
    return answer
  }

  private next<A>(): Promise<A> {
    return new Promise((resolve) => {
      const onMessage = (event: Event): void => resolve((event as Event & { readonly data: A }).data)
      this.channel!.addEventListener("message", onMessage, { once: true })
    })
  }
}

/** Stryker looks for this name. */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "vitest-in-process", InProcessRunner)]
