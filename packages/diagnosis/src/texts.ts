/** Findings about texts: bytes in another encoding, texts that were encoded twice, and texts that end within a character. */
import { plural } from "@sourcewire/capture"
import { fromHex, toHex } from "@sourcewire/protocol"
import { decodeText, encodeText } from "@sourcewire/protocol/wire"
import type { Conversation, Entry } from "./Conversation.ts"
import { fieldPlaces } from "./Conversation.ts"
import type { Finding, FindingKind, Place } from "./Finding.ts"
import { finding } from "./make.ts"
import { quoted } from "./words.ts"

/** A text of a message in which the module found a problem. */
interface Garbled {
  readonly kind: Extract<FindingKind, "not-utf8" | "encoded-twice" | "text-truncated" | "colour-codes">
  readonly path: string
  /** The text that the finding quotes. If the text was encoded twice, this is the text after it was decoded once more. */
  readonly reading: string
  /** The encoding in which the bytes are a readable text. */
  readonly encoding?: string
}

interface Text {
  readonly path: string
  readonly text: string
  /** The bytes as hex. Present only if the bytes are not the UTF-8 form of the text. */
  readonly hex: string | undefined
}

/** Yields every text of a message with its path. */
function* findTexts(value: unknown, path = ""): Generator<Text> {
  if (Array.isArray(value)) {
    for (const [i, one] of value.entries()) yield* findTexts(one, `${path}[${i}]`)
  } else if (typeof value === "object" && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>
    for (const [key, one] of Object.entries(fields)) {
      if (key === "_tag" || key === "trailing" || (key.endsWith("Hex") && key.slice(0, -3) in fields)) continue
      const at = path === "" ? key : `${path}.${key}`
      const hex = fields[`${key}Hex`]
      if (typeof one === "string") yield { path: at, text: one, hex: typeof hex === "string" ? hex : undefined }
      else yield* findTexts(one, at)
    }
  }
}

const CODE_PAGES = ["windows-1251", "windows-1252"] as const

const NOT_ASCII = /[^\0-\x7f]/

/**
 * Matches two characters that show that a text was probably encoded twice: encoded in a code page, these characters become the first
 * two bytes of one UTF-8 character.
 */
const LOOKS_TWICE = /[ÃÂÐÑâ][^\0-\x7f]|[РС][^\0-\x7fА-Яа-яЁё]/

const decodedOnce = (text: string): string | undefined => {
  if (!LOOKS_TWICE.test(text)) return undefined
  for (const page of CODE_PAGES) {
    const bytes = encodeText(text, page)
    if (bytes === undefined) continue
    const { exact, text: once } = decodeText(bytes, 0, bytes.length, "utf-8")
    if (exact && NOT_ASCII.test(once)) return once
  }
  return undefined
}

const garbled = ({ hex, path, text }: Text): Garbled | undefined => {
  if (hex !== undefined) {
    if (text.endsWith("\ufffd")) return { kind: "text-truncated", path, reading: text }
    const encoding = CODE_PAGES.find((page) => {
      const bytes = encodeText(text, page)
      return bytes !== undefined && toHex(bytes) === hex
    })
    return { kind: "not-utf8", path, reading: text, encoding: encoding ?? guess(hex) }
  }
  if (NOT_ASCII.test(text)) {
    const once = decodedOnce(text)
    if (once !== undefined) return { kind: "encoded-twice", path, reading: once }
  }
  return /(?:^|\.)name$/.test(path) && /\^\d./.test(text) ? { kind: "colour-codes", path, reading: text } : undefined
}

/** Returns the code page that the encoding `auto` selects for these bytes. */
const guess = (hex: string): string => {
  const bytes = fromHex(hex) ?? new Uint8Array()
  const { text } = decodeText(bytes, 0, bytes.length, "auto")
  return /[А-Яа-я]/.test(text) ? "windows-1251" : "windows-1252"
}

/** Matches control characters that show that a value is binary data and not a text. */
const BINARY = /[\u0001-\u0008\u000b\u000c\u000e-\u001f]/

/** Maximum number of texts whose places a finding contains. If there are more texts, the finding only states their number. */
const MAX_PLACES = 20

/**
 * The replies whose texts this module examines. Findings quote these texts, because they are public. Texts of logs and consoles can contain
 * passwords.
 */
const REPLIES = new Set(["InfoReply", "GoldSourceInfoReply", "PlayersReply", "RulesReply"])

export function* textFindings({ entries }: Conversation): Generator<Finding> {
  for (const entry of entries) {
    if (entry.message === undefined || !REPLIES.has(entry.message._tag)) continue
    const texts = [...findTexts(entry.message)]
    if (entry.message._tag === "RulesReply" && texts.some(({ text }) => BINARY.test(text))) {
      const text = `The rules contain binary data: the game stores its own data in them, for example its mods.`
      yield finding("binary-rules", text, fieldPlaces(entry, "rules[0].name"), { field: "rules" })
      continue
    }
    const found = Map.groupBy(
      texts.flatMap((text) => garbled(text) ?? []),
      ({ encoding = "", kind }) => `${kind} ${encoding}`
    )
    for (const some of found.values()) yield sentence(entry, some)
  }
}

const sentence = (entry: Entry, some: ReadonlyArray<Garbled>): Finding => {
  const { encoding, kind, path, reading } = some[0]!
  const places: ReadonlyArray<Place> = some.slice(0, MAX_PLACES).flatMap(({ path }) => fieldPlaces(entry, path))
  const more = some.length === 1 ? "" : ` The same applies to ${plural(some.length - 1, "other text")} of this message.`
  const texts = {
    "not-utf8": `The text of ${path} is not valid UTF-8. In ${encoding}, the text is ${quoted(reading)}.`,
    "encoded-twice": `The text of ${path} was encoded twice. Decoded once more, the text is ${quoted(reading)}.`,
    "text-truncated": `The text of ${path} ends within a character: ${quoted(reading)}.`,
    "colour-codes": `The text of ${path} contains colour codes (\`^\` and a digit): ${quoted(reading)}.`
  }
  return finding(kind, `${texts[kind]}${more}`, places, { field: path })
}
