/**
 * How the tests of a target run while its sources are mutated; `MUTATE` names the target.
 *
 * @module
 */
import { defineConfig } from "vitest/config"
import { targets } from "./src/targets.ts"

const { others, tests } = targets[process.env["MUTATE"]!]!

export default defineConfig({
  test: {
    environment: "node",
    // A fresh process for each change is enough, and a third of the work.
    isolate: false,
    include: [...tests],
    exclude: ["**/*.long.test.ts", ...others],
    setupFiles: ["tooling/mutation/skipLong.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
