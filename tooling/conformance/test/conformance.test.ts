/** Runs the suite on the runtime that developers of this project use. `conformance.long.test.ts` runs the suite on all other runtimes. */
import { runtimes } from "../src/runtimes.ts"
import { defineSuite } from "./suite.ts"

defineSuite(runtimes.filter(({ name }) => name === "Node 24"))
