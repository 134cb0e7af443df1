/**
 * A program that gives one command to the RCON server of its first argument, and prints how that ended: run by `rconFloods.test.ts`
 * as a process of its own, whose memory is nobody else's.
 */
import { connectRcon } from "../src/index.ts"

const [address = "", engine = "", timeoutMs = "", totalTimeoutMs = ""] = process.argv.slice(2)
const limits = { timeoutMs: Number(timeoutMs), totalTimeoutMs: Number(totalTimeoutMs) }

const beginning = process.memoryUsage().rss
const startedAt = performance.now()
// What the machine itself makes of the time: a timer that nobody starts anew.
let controlMs = 0
setTimeout(() => (controlMs = performance.now() - startedAt - limits.totalTimeoutMs), limits.totalTimeoutMs).unref()

const giveCommand = async (): Promise<string> => {
  await using rcon = await connectRcon(address, { password: "probe pw", engine: engine as "source", ...limits })
  return `a reply of ${(await rcon.exec("status")).length}`
}
const ended = await giveCommand().catch((error: unknown) => (error as { readonly _tag: string })._tag)
const tookMs = performance.now() - startedAt
// Kilobytes; the most that there ever was, also between two samples.
const grownBytes = process.resourceUsage().maxRSS * 1024 - beginning
process.stdout.write(JSON.stringify({ ended, tookMs, controlMs, grownBytes }), () => process.exit())
