/**
 * What the two sides say to each other: Stryker's process, which asks, and the worker in it that holds the tests, which says when they
 * are loaded and then answers.
 */
import type { MutantCoverage } from "@stryker-mutator/api/core"

/** Of the channel over which they say it. */
export const CHANNEL = "sourcewire-mutants"

/** What is asked: to run all tests once without a change, to run some with one, or nothing more. */
export type Question = { readonly kind: "try all" } | Run | { readonly kind: "end" }

/** Runs tests, by their ids, with one change in force. */
export interface Run {
  readonly kind: "run"
  readonly mutant: string
  readonly tests: ReadonlyArray<string>
  /** So often may the change be come past; a loop that never ends comes past it more often. */
  readonly hitLimit: number | undefined
}

/** How all tests ran without any change, and which changes each comes past. */
export interface Tried {
  readonly tests: ReadonlyArray<RanTest>
  readonly coverage: MutantCoverage
}

/** A test as it ran without any change. */
export interface RanTest {
  readonly id: string
  readonly file: string
  readonly name: string
  readonly ms: number
  readonly failure?: string
}

/** How tests ran with a change: the first that failed, if one did. */
export interface Outcome {
  readonly ran: number
  readonly hits: number
  readonly failed?: { readonly id: string; readonly message: string; readonly failsWithoutToo: boolean }
}
