/**
 * The binary rules of Arma 3 and DayZ: one block of bytes, which is sent in chunks. Each chunk is a rule. The name of the rule has two
 * bytes: the position of the chunk (from 1), and the total number of chunks. In the values of these rules, the bytes NUL, 0x01 and 0xFF are
 * escaped. The block is documented at https://community.bistudio.com/wiki/Arma_3:_ServerBrowserProtocol3.
 */
import { type Encoding, Malformed, type Rule, type RulesReply, fromHex, toHex } from "@sourcewire/protocol"
import { demand, tryCondition } from "@sourcewire/inside/values"
import { concatBytes } from "@sourcewire/inside/bytes"
import { ENCODINGS, decodeText, encodeText } from "@sourcewire/protocol/wire"
import { demandRules } from "./edge.ts"
import type { Mod } from "./facts/declaration.ts"

/**
 * The difficulty of an Arma 3 server. The flight model (bit 6 of the difficulty's byte) is omitted, because other programs disagree about
 * the meaning of this bit.
 */
export interface Difficulty {
  /** 0 recruit, 1 regular, 2 veteran, 3 custom. */
  readonly level: number
  /** Skill of the AI, with the same numbers as `level`. */
  readonly ai: number
  readonly thirdPerson: boolean
  readonly crosshair: boolean
}

/** The decoded binary rules. */
export interface BohemiaRules {
  /** Version of the block's layout: 2 or 3. */
  readonly version: number
  /** 0 if the data are complete; another number if the server omitted data. */
  readonly overflow: number
  readonly dlcs: ReadonlyArray<{ readonly name: string; readonly hash: string }>
  /** Present only if the game is Arma 3 and a mission is running. */
  readonly difficulty?: Difficulty
  readonly mods: ReadonlyArray<Mod>
  /** Keys whose signatures the server accepts. */
  readonly signatures: ReadonlyArray<string>
  /** Bytes after the signatures, as hex. */
  readonly trailing?: string
}

/** Names of the DLCs, in the order of their bits: the first name belongs to the lowest bit. */
const DLCS = {
  arma3: [
    "Karts",
    "Marksmen",
    "Helicopters",
    "Zeus",
    "Apex",
    "Jets",
    "Laws of War",
    "Malden",
    "Tac-Ops",
    "Tanks",
    "Contact",
    "Contact (platform)",
    "Art of War"
  ],
  dayz: ["Livonia", "Frostline"]
} as const

const HEX_SHOWN_BYTES = 32

const malformed = (message: string, field: string, bytes: Uint8Array, offset: number): Malformed =>
  new Malformed({ message, messageTag: "RulesReply", field, offset, hex: toHex(bytes.subarray(0, HEX_SHOWN_BYTES)) })

const toBytes = (hex: string | undefined, text: string, encoding: Encoding): Uint8Array =>
  (hex === undefined ? encodeText(text, encoding) : fromHex(hex)) ?? new Uint8Array(0)

/** Reads the block from its start. Throws a `Malformed` if the block ends too early. */
class Cursor {
  at = 0
  readonly #bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }
  take(length: number, field: string): Uint8Array {
    const end = this.at + length
    if (end > this.#bytes.length) throw malformed(`The rules end within ${field}.`, field, this.#bytes, this.at)
    const taken = this.#bytes.subarray(this.at, end)
    this.at = end
    return taken
  }
  byte(field: string): number {
    return this.take(1, field)[0]!
  }
  /** Reads a number of four bytes. Returns the number as hex, with the highest byte first. */
  hash(field: string): string {
    return toHex(this.take(4, field).toReversed())
  }
  text(field: string): string {
    const bytes = this.take(this.byte(field), field)
    return decodeText(bytes, 0, bytes.length, "auto").text
  }
}

/** Bits in the flags of a mod. The lower four bits are the length of the mod's id, in bytes. */
const ID_BYTES = 0x0f
const IS_DLC = 0x10

const mod = (cursor: Cursor, field: string): Mod => {
  const hash = cursor.hash(`${field}.hash`)
  const flags = cursor.byte(`${field}.id`)
  const idHex = toHex(cursor.take(flags & ID_BYTES, `${field}.id`).toReversed())
  const id = idHex === "" ? "0" : BigInt(`0x${idHex}`).toString()
  const name = cursor.text(`${field}.name`)
  return {
    ...(name === "" ? {} : { name }),
    ...(id === "0" ? {} : { id }),
    hash,
    ...((flags & IS_DLC) === 0 ? {} : { dlc: true })
  }
}

const readDifficulty = ([settings = 0, crosshair = 0]: Uint8Array): { readonly difficulty?: Difficulty } =>
  settings === 0
    ? {}
    : {
        difficulty: {
          level: settings & 7,
          ai: (settings >> 3) & 7,
          thirdPerson: (settings & 0x80) !== 0,
          crosshair: (crosshair & 1) !== 0
        }
      }

const many = <A>(cursor: Cursor, field: string, read: (field: string) => A): ReadonlyArray<A> =>
  Array.from({ length: cursor.byte(field) }, (_, i) => read(`${field}[${i}]`))

const read = (bytes: Uint8Array, game: "arma3" | "dayz"): BohemiaRules => {
  const cursor = new Cursor(bytes)
  const version = cursor.byte("version")
  if (version !== 2 && version !== 3)
    throw malformed(`Rules of version ${version} are not supported.`, "version", bytes, 0)
  const overflow = cursor.byte("overflow")
  const [low = 0, high = 0] = cursor.take(2, "dlcs")
  const owned = low | (high << 8)
  const difficulty = game === "arma3" ? readDifficulty(cursor.take(2, "difficulty")) : {}
  const dlcs = Array.from({ length: 16 }, (_, bit) => bit)
    .filter((bit) => (owned & (1 << bit)) !== 0)
    .map((bit) => ({ name: DLCS[game][bit] ?? `DLC of bit ${bit}`, hash: cursor.hash("dlcs") }))
  const mods = many(cursor, "mods", (field) => mod(cursor, field))
  const signatures = many(cursor, "signatures", (field) => cursor.text(field))
  const trailing = cursor.at < bytes.length ? { trailing: toHex(bytes, cursor.at) } : {}
  return { version, overflow, dlcs, ...difficulty, mods, signatures, ...trailing }
}

const ESCAPED: Readonly<Record<number, number>> = { 1: 1, 2: 0, 3: 0xff }

const unescaped = (bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const [first, second] = bytes.subarray(i, i + 2)
    const byte = first === 1 ? ESCAPED[second ?? 0] : first
    if (byte === undefined) throw malformed("An escape byte (01) is the last byte.", "rules", bytes, i)
    if (first === 1) i++
    out[length++] = byte
  }
  return out.subarray(0, length)
}

interface Chunk {
  readonly rule: Rule
  readonly number: number
  readonly of: number
  readonly bytes: Uint8Array
}

const readChunk = (rule: Rule, encoding: Encoding): ReadonlyArray<Chunk> => {
  const [number = 0, of = 0, ...more] = toBytes(rule.nameHex, rule.name, encoding)
  return more.length > 0 || number === 0 || number > of
    ? []
    : [{ rule, number, of, bytes: toBytes(rule.valueHex, rule.value, encoding) }]
}

/**
 * Finds the rules that are chunks. A setting whose name has two bytes can look like a chunk. The function omits the setting if the second
 * byte of its name is not the number of chunks.
 */
const findChunks = ({ rules }: RulesReply, encoding: Encoding): ReadonlyArray<Chunk> => {
  const likely = rules.flatMap((rule) => readChunk(rule, encoding))
  // The name of a setting never begins with a byte below 0x20. Therefore a rule whose name begins with such a byte is a chunk.
  const total = likely.find(({ number }) => number < 0x20)?.of
  return likely.filter(({ of }) => of === total)
}

/** Returns the rules of a reply that are chunks of the binary rules. */
export const chunkRules = (reply: RulesReply, encoding: Encoding = "auto"): ReadonlySet<Rule> =>
  new Set(findChunks(reply, encoding).map(({ rule }) => rule))

const joined = (chunks: ReadonlyArray<Chunk>): Uint8Array => {
  const total = chunks[0]!.of
  const parts = Array.from({ length: total }, (_, i) => {
    const found = chunks.find(({ number }) => number === i + 1)
    if (found === undefined)
      throw malformed(`Chunk ${i + 1} of ${total} is missing.`, `chunks[${i}]`, new Uint8Array(0), 0)
    return found.bytes
  })
  return concatBytes(parts)
}

/**
 * The binary rules, or the error if they cannot be decoded. If the server sends no binary rules, for example because its version is
 * old, `bohemia` and `malformed` are absent.
 */
export interface BohemiaResult {
  readonly bohemia?: BohemiaRules
  readonly malformed?: Malformed
}

/** Decodes the binary rules of Arma 3 or DayZ. Pass the `encoding` with which the reply was decoded (default: `auto`). */
export const bohemiaRules = (reply: RulesReply, game: "arma3" | "dayz", encoding: Encoding = "auto"): BohemiaResult => {
  demandRules(reply)
  demand("game", "arma3 or dayz", () => tryCondition(() => Object.hasOwn(DLCS, game)), game)
  demand("encoding", `one of ${ENCODINGS.join(", ")}`, () => ENCODINGS.includes(encoding), encoding)
  const chunks = findChunks(reply, encoding)
  if (chunks.length === 0) return {}
  try {
    return { bohemia: read(unescaped(joined(chunks)), game) }
  } catch (error) {
    if (error instanceof Malformed) return { malformed: error }
    throw error
  }
}
