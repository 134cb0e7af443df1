/**
 * A program that gives one command to the RCON server of its first argument, and prints how that ended: run by `rconFloods.long.test.ts`
 * as a process of its own, whose memory is nobody else's.
 */
import { rcon as connectRcon } from "../src/index.ts"

const [address = "", engine = "", timeoutMs = "", totalTimeoutMs = ""] = process.argv.slice(2)
const limits = { timeoutMs: Number(timeoutMs), totalTimeoutMs: Number(totalTimeoutMs) }

const beginning = process.memoryUsage().rss
const startedAt = performance.now()

const giveCommand = async (): Promise<string> => {
  await using rcon = await connectRcon(address, { password: "probe pw", engine: engine as "source", ...limits })
  return `a reply of ${(await rcon.exec("status")).length}`
}
const ended = await giveCommand().catch((error: unknown) => (error as { readonly _tag: string })._tag)
const tookMs = performance.now() - startedAt
// Kilobytes; the most that there ever was, also between two samples.
const grownBytes = process.resourceUsage().maxRSS * 1024 - beginning
process.stdout.write(JSON.stringify({ ended, tookMs, grownBytes }), () => process.exit())
