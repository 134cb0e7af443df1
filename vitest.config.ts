import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: ["{packages/*,apps/*,tooling/*,examples}/vitest.config.ts"],
    passWithNoTests: true,
    // More than processors: tests on loopback wait most of their time.
    maxWorkers: availableParallelism() + 1
  }
})
