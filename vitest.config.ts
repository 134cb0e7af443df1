import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig(({ mode }) => ({
  test: {
    projects: ["{packages/*,apps/*,tooling/*,examples}/vitest.config.ts"],
    passWithNoTests: true,
    // More than processors, since tests on loopback wait most of their time; the long ones keep processors busy.
    ...(mode === "long" ? {} : { maxWorkers: availableParallelism() + 1 })
  }
}))
