/** The suite on the runtime that the project is developed on. All others are in `conformance.long.test.ts`. */
import { runtimes } from "../src/runtimes.ts"
import { defineSuite } from "./suite.ts"

defineSuite(runtimes.filter(({ name }) => name === "Node 24"))
