/** The unit tests of the package that is mutated; `PACKAGE` names it. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

export default defineConfig({
  root: fileURLToPath(new URL(`../../packages/${process.env["PACKAGE"] ?? "protocol"}`, import.meta.url)),
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    exclude: ["**/*.long.test.ts"],
    // As in the root's configuration. The changed sources count what they run, which makes tests slower.
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
