/**
 * Runs the suite on all runtimes except Node 24, which `conformance.test.ts` covers. Also runs the suite with batched system calls, and
 * without top-level `await`.
 */
import { batchedRuntimes, mainRuntimes, runtimes, singleFileRuntime } from "../src/runtimes.ts"
import { defineSuite } from "./suite.ts"

defineSuite([
  ...runtimes.filter(({ name }) => name !== "Node 24"),
  ...mainRuntimes,
  ...batchedRuntimes,
  singleFileRuntime
])
