/** Runs the unit tests of the mutated package. The environment variable `PACKAGE` contains its name. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Runs quick test files first. One failing test is enough to detect a mutant, and most test files of a large package cover most of its
 * mutants.
 */
class QuickFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const duration = (file: TestSpecification) => this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 0
    return files.toSorted((a, b) => duration(a) - duration(b))
  }
}

export default defineConfig({
  root: fileURLToPath(new URL(`../../packages/${process.env["PACKAGE"] ?? "protocol"}`, import.meta.url)),
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    exclude: ["**/*.long.test.ts"],
    sequence: { sequencer: QuickFirst },
    // The time limits are long, as in the root's vitest.config.ts, because Stryker's instrumented sources make tests slower.
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
