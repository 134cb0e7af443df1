import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    projects: ["{packages/*,apps/*,tooling/*,examples}/vitest.config.ts"],
    passWithNoTests: true
  }
})
