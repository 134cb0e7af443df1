/** How tests run: one project for each package that has a folder `test`, by its folder's name. */
import { globSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, dirname, resolve } from "node:path"
import { defineConfig } from "vitest/config"

/** Tests in a browser, on every runtime, of tarballs, for minutes: `vitest run --mode long` runs these, any other run the others. */
const LONG = "test/**/*.long.test.ts"

export default defineConfig(({ mode }) => ({
  test: {
    passWithNoTests: true,
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
        // Said for each project, since a project does not take it from the root: with less than three processors it would be one file
        // at a time. More than processors, since tests on loopback wait most of their time; the long ones keep processors busy.
        maxWorkers: availableParallelism() + (mode === "long" ? 0 : 1),
        // Ten times and more what a test needs on an idle machine.
        testTimeout: 120_000,
        hookTimeout: 120_000,
        // What tests of a package run, made once for all of them.
        globalSetup: globSync(`${tests}/buildProgram.ts`).map((file) => resolve(file))
      }
    }))
  }
}))
