/**
 *     pnpm mutate [TARGET…] [FILE…]
 *
 * Changes the sources of each target in one small way at a time, and runs the tests that come past the change. Files narrow it to these.
 * What neither a change in the source nor in its tests has touched is not asked again; the reports are in `.mutation`, and
 * `pnpm mutants` makes a page of them.
 */
import { Stryker } from "@stryker-mutator/core"
import { setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { targets } from "./targets.ts"

// It takes an hour or so, and whoever waits for it works on.
setPriority(10)
process.chdir(fileURLToPath(new URL("../../..", import.meta.url)))

const args = process.argv.slice(2)
const files = args.filter((arg) => !(arg in targets))
const chosen = args.filter((arg) => arg in targets)

for (const name of chosen.length > 0 ? chosen : Object.keys(targets)) {
  process.env["MUTATE"] = name
  await new Stryker({
    mutate: files.length > 0 ? files : [...targets[name]!.sources],
    testRunner: "vitest-in-process",
    plugins: [fileURLToPath(new URL("inProcess/plugin.ts", import.meta.url))],
    coverageAnalysis: "perTest",
    // Tables and the like, made when a module is loaded: each would need every test again.
    ignoreStatic: true,
    incremental: true,
    incrementalFile: `.mutation/${name}.json`,
    tempDirName: `.mutation/sandbox-${name}`,
    ignorePatterns: [
      ".mutation",
      "docs",
      "apps",
      "examples",
      "tooling/**/*",
      "!tooling/mutation/*.ts",
      "!tooling/mutation/src/**/*.ts"
    ],
    concurrency: Number(process.env["MUTATE_CONCURRENCY"] ?? 1),
    reporters: ["progress-append-only"],
    timeoutMS: 5000
  }).runMutationTest()
}
