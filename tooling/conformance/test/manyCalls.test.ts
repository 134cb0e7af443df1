/** On the runtime that the project is developed on; all others are `manyCalls.long.test.ts`. */
import { runtimes } from "../src/runtimes.ts"
import { answerManyCalls } from "./manyCalls.ts"

answerManyCalls(runtimes.filter(({ name }) => name === "Node 24"))
