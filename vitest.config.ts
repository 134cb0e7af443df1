/** Vitest's projects: one for each package with a folder `test`, named after the package's folder. */
import { globSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, dirname, resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Long tests, for example in a browser or on every runtime. `vitest run --mode long` runs only these, and other runs exclude them. */
const LONG = "test/**/*.long.test.ts"

/** The long test files that take more than a minute. */
const LONGEST = /\/(site|dashboard|views|conformance|blocks|fleet|schedule|verdict|manyCalls|accessible)\.long\./

/** Starts the longest files first. Otherwise, the last file runs alone for a minute. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    projects: globSync(["{packages,apps,tooling}/*/test", "examples/test"]).map((tests) => ({
      root: dirname(tests),
      test: {
        name: basename(dirname(tests)),
        environment: "node",
        include: [mode === "long" ? LONG : "test/**/*.test.ts"],
        exclude: mode === "long" ? [] : [LONG],
        // Files of a project share the modules that a worker has loaded, which saves half of the processor time. A test of the program
        // replaces a module, so its files are isolated; so are long tests, which load few modules.
        isolate: mode === "long" || basename(dirname(tests)) === "cli",
        // Set for each project, because projects do not inherit it. Vitest's default with two processors is one file at a time. Tests
        // mostly wait for sockets, other programs and timers, so there is one worker more than processors.
        maxWorkers: availableParallelism() + 1,
        // At least ten times the duration of any test on an idle machine.
        testTimeout: 120_000,
        hookTimeout: 120_000,
        // Builds the program or the page of an app once for all tests of the app. Only long tests use a page.
        globalSetup: globSync(mode === "long" ? `${tests}/**/build{Program,Page}.ts` : `${tests}/buildProgram.ts`).map(
          (file) => resolve(file)
        )
      }
    }))
  }
}))
