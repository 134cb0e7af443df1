/** How the tests of a target run while its sources are mutated; `MUTATE` names the target. */
import { readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { targets } from "./src/targets.ts"

const { others, tests } = targets[process.env["MUTATE"]!]!
const SERVE = "tooling/mutation/src/inProcess/serve.test.ts"

/** Examples before properties and random inputs, which take longer: the first test that fails is the last that runs. Then what runs them again. */
class ExamplesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification): number => {
      if (moduleId.endsWith(SERVE)) return 2
      return /Arbitrary|Schema|\.prop\(|seeded\(|seededRandom\(|recordings/.test(readFileSync(moduleId, "utf8")) ? 1 : 0
    }
    return files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1))
  }
}

const sandbox = process.cwd()
const [tree] = sandbox.split("/.mutation/", 1)

export default defineConfig({
  plugins: [
    {
      // The sandbox has the tree's own node_modules, whose links lead to sources without changes.
      name: "packages-of-the-sandbox",
      enforce: "pre",
      async resolveId(id, importer, options) {
        if (!id.startsWith("@sourcewire/")) return null
        const resolved = await this.resolve(id, importer, { ...options, skipSelf: true })
        return resolved === null || resolved.id.startsWith(sandbox) ? resolved : resolved.id.replace(tree!, sandbox)
      }
    }
  ],
  test: {
    environment: "node",
    pool: "threads",
    // One worker, which keeps what it has loaded.
    isolate: false,
    maxWorkers: 1,
    runner: "tooling/mutation/src/inProcess/collectingRunner.ts",
    include: [...tests, SERVE],
    exclude: ["**/*.long.test.ts", ...others],
    sequence: { sequencer: ExamplesFirst },
    reporters: [],
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
