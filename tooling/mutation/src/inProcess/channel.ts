/** What the two sides say to each other: Stryker's process, and the worker in it that holds the tests. */
import type { MutantCoverage } from "@stryker-mutator/api/core"

/** Of the channel over which they say it. */
export const CHANNEL = "sourcewire-mutants"

/** A test as it ran without any change. */
export interface RanTest {
  readonly id: string
  readonly file: string
  readonly name: string
  readonly ms: number
  readonly failure?: string
}

/** Sources and tests are loaded. */
export interface Ready {
  readonly kind: "ready"
}

/** Runs all tests once without a change, and notes which changes each comes past. */
export interface TryAll {
  readonly kind: "try all"
}

/** How that went. */
export interface Tried {
  readonly kind: "tried"
  readonly tests: ReadonlyArray<RanTest>
  readonly coverage: MutantCoverage
}

/** Runs tests, by their ids, with one change in force. */
export interface Run {
  readonly kind: "run"
  readonly mutant: string
  readonly tests: ReadonlyArray<string>
  /** So often may the change be come past; a loop that never ends comes past it more often. */
  readonly hitLimit: number | undefined
}

/** How that went: the first test that failed, if one did. */
export interface Outcome {
  readonly kind: "outcome"
  readonly ran: number
  readonly hits: number
  readonly failed?: { readonly id: string; readonly message: string; readonly failsWithoutToo: boolean }
}

/** No more. */
export interface End {
  readonly kind: "end"
}
