/** The suite on every runtime but that of `conformance.test.ts`, with batched system calls too. */
import { batchedRuntimes, runtimes, singleFileRuntime } from "../src/runtimes.ts"
import { holdToSuite } from "./suite.ts"

holdToSuite([...runtimes.filter(({ name }) => name !== "Node 24"), ...batchedRuntimes, singleFileRuntime])
