/** On every runtime but the one that `manyCalls.test.ts` is about. */
import { runtimes } from "../src/runtimes.ts"
import { answerManyCalls } from "./manyCalls.ts"

answerManyCalls(runtimes.filter(({ name }) => name !== "Node 24"))
