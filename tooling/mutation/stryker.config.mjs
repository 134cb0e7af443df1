/**
 * Mutation testing, on demand and nightly: Stryker changes the sources of a package in one small way at a time and runs the unit tests
 * that cover the change. Reports are in `.mutation`; a later run repeats only mutants whose code or tests have changed.
 *
 *     PACKAGE=core pnpm mutate                                     a package
 *     PACKAGE=core pnpm mutate --mutate "packages/core/src/master/*.ts"     some of its files
 *     PACKAGE=core SAMPLE=40 SEED=2 pnpm mutate                             a random sample, see `sample.mjs`
 */
import { sampled } from "./sample.mjs"

const name = process.env.PACKAGE ?? "protocol"
const isSample = process.env.SAMPLE !== undefined

export default {
  packageManager: "pnpm",
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner", ...(isSample ? ["./tooling/mutation/sample.mjs"] : [])],
  vitest: { configFile: "tooling/mutation/vitest.config.ts", related: true },
  // Node finds the packages through links in node_modules, and these links would lead from a copied tree back to this tree.
  inPlace: true,
  mutate: sampled([
    `packages/${name}/src/**/*.ts`,
    "!packages/*/src/**/generated/**",
    // The texts of declarations are documentation, and tests compare the bytes of their messages.
    "!packages/protocol/src/declarations/**",
    // Generators of test data.
    "!packages/*/src/testing.ts",
    "!packages/*/src/testing/**"
  ]),
  // Mutants in code that runs when a module is loaded are ignored, because each of them would need every test.
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
