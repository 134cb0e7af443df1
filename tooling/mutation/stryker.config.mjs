/**
 * Mutation testing, on demand and nightly. Stryker changes the sources of a package in one small way at a time, and runs the unit tests
 * that cover the change. The reports are in `.mutation`. A later run tests only mutants whose code or tests have changed.
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
  // Stryker changes this tree, not a copy. Node finds the packages through links in node_modules, and in a copy, the links would lead to
  // this tree.
  inPlace: true,
  mutate: sampled([
    `packages/${name}/src/**/*.ts`,
    "!packages/*/src/**/generated/**",
    // Declarations consist mostly of documentation texts. Tests compare only the bytes of the declared messages.
    "!packages/protocol/src/declarations/**",
    // These modules generate test data.
    "!packages/*/src/testing.ts",
    "!packages/*/src/testing/**"
  ]),
  // Mutants in code that runs when a module is loaded are ignored, because every test would have to run for each of these mutants.
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
