/** How a package's tests run: one project per package, found by the root's `vitest.config.ts`. */
import { availableParallelism } from "node:os"
import { defineProject, type UserWorkspaceConfig } from "vitest/config"

/** Tests in a browser, on every runtime, of tarballs, for minutes: `vitest run --mode long` runs these, any other run the others. */
const LONG = "test/**/*.long.test.ts"

/** A package's tests, `test/**\/*.test.ts`, under the package's own name; `more` is what only this package needs. */
export const project = (name: string, more: UserWorkspaceConfig["test"] = {}) =>
  defineProject(({ mode }) => ({
    test: {
      name,
      environment: "node",
      include: [mode === "long" ? LONG : "test/**/*.test.ts"],
      exclude: mode === "long" ? [] : [LONG],
      // Said for each project, since a project does not take it from the root: with less than three processors it would be one file at
      // a time. More than processors, since tests on loopback wait most of their time; the long ones keep processors busy.
      maxWorkers: availableParallelism() + (mode === "long" ? 0 : 1),
      // Ten times and more what a test needs on an idle machine.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...more
    }
  }))
