/** Reads the output of another process line by line. */
import { createInterface } from "node:readline"

export const lineReader = (output: NodeJS.ReadableStream): (() => Promise<string>) => {
  const lines = createInterface({ input: output })[Symbol.asyncIterator]()
  return async () => String((await lines.next()).value)
}
