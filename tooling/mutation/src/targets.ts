/**
 * What is mutated, and by which tests.
 *
 * @module
 */

/** A package, or the part of one whose every line has to matter. Paths are from the repository's root. */
export interface Target {
  readonly sources: ReadonlyArray<string>
  readonly tests: ReadonlyArray<string>
  /** Tests that are left out, each for its time: they ask the same questions of millions of inputs. */
  readonly slow: ReadonlyArray<string>
}

export const targets: Readonly<Record<string, Target>> = {
  protocol: {
    sources: [
      "packages/protocol/src/**/*.ts",
      "!packages/protocol/src/{generated,declarations}/**",
      "!packages/protocol/src/MessageArbitrary.ts"
    ],
    tests: ["packages/protocol/test/**/*.test.ts"],
    slow: ["packages/protocol/test/mutations.test.ts"]
  }
}
