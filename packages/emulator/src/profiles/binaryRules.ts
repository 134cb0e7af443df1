/**
 * The binary rules of Arma 3 and DayZ. A block of bytes with mods and signatures is escaped and split into chunks. Each chunk is the value
 * of a rule. The name of this rule consists of two bytes: the number of the chunk and the number of chunks.
 *
 * ```
 * block = version overflow dlcs(2) [difficulty(2)] dlc-hash(4)* mod-count mod* signature-count signature*
 * mod = hash(4) id-length id(n) name-length name
 * signature = length text
 * difficulty: Arma 3 alone; dlc-hash: one for each bit of dlcs
 * escapes: 01 → 01 01, 00 → 01 02, FF → 01 03
 * ```
 */
import { toHex } from "@sourcewire/protocol"
import type { Rule } from "@sourcewire/protocol"
import type { Random } from "../random.ts"
import vocabulary from "./vocabulary.json" with { type: "json" }

/** Maximum size of a chunk, in bytes. */
const CHUNK_BYTES = 124

/** The content of a block. */
interface Contents {
  readonly game: "arma3" | "dayz"
  readonly mods: number
  readonly signatures: number
}

const block = (random: Random, { game, mods, signatures }: Contents): Array<number> => {
  const text = (value: string): Array<number> => [value.length, ...Array.from(value, (c) => c.charCodeAt(0))]
  const number = (): Array<number> => Array.from({ length: 4 }, () => random.int(0, 255))
  const known = vocabulary.mods
  const names = Array.from({ length: mods }, (_, i) => known[i % known.length]! + (i < known.length ? "" : ` ${i}`))
  return [
    ...(game === "dayz"
      ? [2, 0, 0, 0]
      : [3, 0, 0x0f, 0x00, 0x5a, 0x01, ...number(), ...number(), ...number(), ...number()]),
    names.length,
    ...names.flatMap((name) => [...number(), 4, ...number(), ...text(name)]),
    signatures,
    ...Array.from({ length: signatures }, (_, i) => text(`key_${i}_v${random.int(1, 9)}`)).flat()
  ]
}

const ESCAPES: Readonly<Record<number, number>> = { 0x01: 0x01, 0x00: 0x02, 0xff: 0x03 }

/**
 * Creates a rule from bytes that need not be text. The rule contains the bytes twice: as hex, and as a text with one character per byte.
 */
const rule = (name: Uint8Array, value: Uint8Array): Rule => ({
  name: String.fromCharCode(...name),
  nameHex: toHex(name),
  value: String.fromCharCode(...value),
  valueHex: toHex(value)
})

/** Returns the rules of a generated block. The format allows at most 255 chunks; the games do not reach this limit. */
export const binaryRules = (random: Random, contents: Contents): ReadonlyArray<Rule> => {
  const escaped = block(random, contents).flatMap((byte) => (byte in ESCAPES ? [0x01, ESCAPES[byte]!] : [byte]))
  const chunks = Math.ceil(escaped.length / CHUNK_BYTES)
  return Array.from({ length: chunks }, (_, i) =>
    rule(Uint8Array.of(i + 1, chunks), Uint8Array.from(escaped.slice(CHUNK_BYTES * i, CHUNK_BYTES * (i + 1))))
  )
}
