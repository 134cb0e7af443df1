/** What another process says, line by line. */
import { createInterface } from "node:readline"

/** Gives the next line whenever it is called. */
export const linesOf = (output: NodeJS.ReadableStream): (() => Promise<string>) => {
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  return async () => String((await lines.next()).value)
}
