import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: ["{packages/*,apps/*,tooling/*,examples}/vitest.config.ts"],
    passWithNoTests: true,
    // vitest leaves one processor free, which on two means one file after the other; most of these tests wait for sockets and processes.
    maxWorkers: Math.max(2, availableParallelism())
  }
})
