/** Streams that the real bzip2 program wrote, and their decompressed texts. */
import { readFileSync } from "node:fs"
import { fromHex } from "../src/Hex.ts"

const fixture = JSON.parse(readFileSync(new URL("fixtures/bzip2.json", import.meta.url), "utf8")) as {
  readonly streams: Readonly<Record<string, string>>
}

/** A RULES reply with 120 rules. */
export const rulesReply = new TextEncoder()
  .encode(
    "\u007f\u007f\u007f\u007fEx\0" +
      Array.from({ length: 120 }, (_, i) => `sv_rule_${i + 1}\0${(i + 1) ** 2 % 97}\0`).join("")
  )
  .map((byte, i) => (i < 4 ? 0xff : byte))

const runs = [1, 2, 3, 4, 5, 6, 254, 255, 256, 258, 259, 260, 511, 1000]

const texts: Readonly<Record<string, Uint8Array>> = {
  nothing: new Uint8Array(0),
  oneByte: Uint8Array.of(0x41),
  everyByte: Uint8Array.from({ length: 256 }, (_, i) => i),
  rules: rulesReply,
  runs: Uint8Array.from(runs.flatMap((length, i) => Array<number>(length).fill(65 + (i % 3)))),
  threeBlocks: Uint8Array.from({ length: 250_000 }, (_, i) => Math.floor((i * i) / 256) % 7),
  zeros: new Uint8Array(1_000_000)
}

/** All streams of the bzip2 program, each with its name and its decompressed text. */
export const streams = Object.entries(fixture.streams).map(([name, hex]) => ({
  name,
  compressed: fromHex(hex)!,
  text: texts[name]!
}))

/** The stream of {@link rulesReply}. */
export const compressedRules = streams.find(({ name }) => name === "rules")!.compressed
