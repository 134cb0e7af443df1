/** Configures Vitest for the unit tests of the mutated package. The environment variable `PACKAGE` contains the name of this package. */
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Runs quick test files before slow test files. A mutant is detected as soon as any test fails. In a large package, nearly every test file
 * covers most mutants. Therefore a quick test file often detects a mutant before the slow test files run.
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
    // The time limits are long, because tests are slow with the code that Stryker adds to the sources.
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
