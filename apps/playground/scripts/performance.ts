/**
 * Measures what a reader feels, in a browser whose processor is slowed down four times: how long until the page can be used, and how long
 * the frames are while a capture of 5000 datagrams is scrolled. Prints; decides nothing.
 */
import type { Page } from "playwright-core"
import { ip, links, pcap } from "../../../tooling/testing/captureFiles.ts"
import { datagramsOf } from "../src/examples/examples.ts"
import { setStage } from "../test/browser/stage.ts"

const SLOWDOWN = 4
const DATAGRAMS = 5000

const reply = datagramsOf("info-css")[0]!.bytes
const rules = Uint8Array.from(datagramsOf("made-truncated")[0]!.bytes.subarray(0, 340))

/** About 1 MB: requests, INFO and RULES. */
const capture = (): Buffer => {
  const frames = Array.from({ length: DATAGRAMS }, (_, i) => {
    const payload = i % 2 === 0 ? reply : rules
    const packet = ip({ source: ["127.0.0.1", 27015], destination: ["127.0.0.2", 40000 + (i % 100)], payload })
    return { bytes: links[1]!(packet), timeNs: BigInt(i) * 1_000_000n }
  })
  return pcap(1, frames)
}

const slowDown = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN })
}

await using stage = await setStage()
const { page } = await stage.open("decode", { withToken: false })
await slowDown(page)
await page.reload()
const usableMs = await page.evaluate(async () => {
  while (document.querySelector("#bytes") === null) await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  return performance.now()
})
process.stdout.write(`usable after ${Math.round(usableMs)} ms\n`)

const file = capture()
const began = performance.now()
await page.setInputFiles("input[type=file]", { name: "large.pcap", mimeType: "application/octet-stream", buffer: file })
await page.waitForSelector("#datagrams")
process.stdout.write(
  `${(file.length / 1e6).toFixed(2)} MB, ${DATAGRAMS} datagrams shown after ${Math.round(performance.now() - began)} ms\n`
)

const frames = await page.evaluate(async () => {
  const list = document.querySelector("#datagrams")!
  const lengths: Array<number> = []
  let before = performance.now()
  for (let i = 0; i < 240; i++) {
    list.scrollTop += 400
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    lengths.push(now - before)
    before = now
  }
  return lengths.toSorted((a, b) => a - b)
})
const at = (share: number): string => frames[Math.floor(share * (frames.length - 1))]!.toFixed(1)
process.stdout.write(`frames while scrolling: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms\n`)
