/**
 * How a package's tests run: one project per package, found by the root's `vitest.config.ts`.
 *
 * @module
 */
import { defineProject } from "vitest/config"

/** A package's tests, `test/**\/*.test.ts`, under the package's own name. */
export const project = (name: string) =>
  defineProject({
    test: {
      name,
      environment: "node",
      include: ["test/**/*.test.ts"],
      // Loopback tests wait for real retransmissions; none of them needs a second on an idle machine.
      testTimeout: 30_000,
      hookTimeout: 30_000
    }
  })
