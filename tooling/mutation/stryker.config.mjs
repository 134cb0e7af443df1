/**
 * Configures mutation testing, which runs on demand and nightly. Stryker makes one small change to the sources of a package at a time, and
 * runs the unit tests that cover this change. The reports are in `.mutation`. A run without a sample stores its results. The next run
 * without a sample tests only mutants whose code or tests have changed since then.
 *
 *     PACKAGE=core pnpm mutate                                              all files of a package
 *     PACKAGE=core pnpm mutate --mutate "packages/core/src/master/*.ts"     some of its files
 *     PACKAGE=core SAMPLE=40 SEED=2 pnpm mutate                             a random sample (see `sample.mjs`)
 */
import { sampled } from "./sample.mjs"

const name = process.env.PACKAGE ?? "protocol"
const isSample = process.env.SAMPLE !== undefined

export default {
  packageManager: "pnpm",
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner", ...(isSample ? ["./tooling/mutation/sample.mjs"] : [])],
  vitest: { configFile: "tooling/mutation/vitest.config.ts", related: true },
  // Stryker changes the files of this checkout and not the files of a copy. In a copy, the links in `node_modules` would lead to the
  // packages of this checkout, so the tests would not see the changes.
  inPlace: true,
  mutate: sampled([
    `packages/${name}/src/**/*.ts`,
    "!packages/*/src/**/generated/**",
    // Declarations of messages consist mostly of documentation texts. Tests compare only the bytes of the messages, so they cannot detect
    // a changed text.
    "!packages/protocol/src/declarations/**",
    // These modules only generate test data.
    "!packages/*/src/testing.ts",
    "!packages/*/src/testing/**"
  ]),
  // Stryker ignores mutants in code that runs when a module is loaded, because it would have to run every test for each of these mutants.
  ignoreStatic: true,
  coverageAnalysis: "perTest",
  incremental: !isSample,
  incrementalFile: `.mutation/${name}.json`,
  tempDirName: ".mutation/temporary",
  jsonReporter: { fileName: `.mutation/${name}.report.json` },
  htmlReporter: { fileName: `.mutation/${name}.html` },
  reporters: ["progress-append-only", "clear-text", "json", "html", ...(isSample ? ["sample"] : [])],
  concurrency: Number(process.env.CONCURRENCY ?? 1),
  timeoutMS: 10_000
}
