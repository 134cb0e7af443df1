/**
 * A program that sends one command to an RCON server, and prints the result. The first argument is the address of the server.
 * `rconFloods.long.test.ts` runs the program as a separate process, to measure the memory of the process.
 */
import { rcon as connectRcon } from "../src/index.ts"

const [address = "", engine = "", timeoutMs = "", totalTimeoutMs = ""] = process.argv.slice(2)
const limits = { timeoutMs: Number(timeoutMs), totalTimeoutMs: Number(totalTimeoutMs) }

const beginning = process.memoryUsage().rss
const startedAt = performance.now()

const runCommand = async (): Promise<string> => {
  await using rcon = await connectRcon(address, { password: "probe pw", engine: engine as "source", ...limits })
  return `a reply of ${(await rcon.exec("status")).length}`
}
const ended = await runCommand().catch((error: unknown) => (error as { readonly _tag: string })._tag)
const tookMs = performance.now() - startedAt
// maxRSS is the peak memory of the process, in kilobytes.
const grownBytes = process.resourceUsage().maxRSS * 1024 - beginning
process.stdout.write(JSON.stringify({ ended, tookMs, grownBytes }), () => process.exit())
