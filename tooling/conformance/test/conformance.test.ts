/** The suite on the runtime that the project is developed on. All others are in `conformance.long.test.ts`. */
import { runtimes } from "../src/runtimes.ts"
import { holdToSuite } from "./suite.ts"

holdToSuite(runtimes.filter(({ name }) => name === "Node 24"))
