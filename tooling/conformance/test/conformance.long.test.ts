/** The suite on every runtime but that of `conformance.test.ts`, with batched system calls too, and without top-level `await`. */
import { batchedRuntimes, mainRuntimes, runtimes, singleFileRuntime } from "../src/runtimes.ts"
import { holdToSuite } from "./suite.ts"

holdToSuite([
  ...runtimes.filter(({ name }) => name !== "Node 24"),
  ...mainRuntimes,
  ...batchedRuntimes,
  singleFileRuntime
])
