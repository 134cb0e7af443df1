/**
 * A line of a game server's log, from the datagram that brought it. Pure; receiving is `LogStream`.
 *
 * Three layouts are understood: Source (`R` and the line), Source with a secret (`S`, the secret, the line) and GoldSource (`log ` and
 * the line). A line begins with `L ` (not on Xash3D) and the server's date and time; one that does not is text all the same.
 *
 * GoldSource and Xash3D log each RCON command with its password in clear. It is starred out unless asked for.
 */
import type { Encoding } from "@sourcewire/protocol"
import {
  decodeText,
  encodeText,
  GoldSourceLogLine,
  HEADER_BYTES,
  isConnectionless,
  LogLine,
  MessageType,
  messageType
} from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { demand, isText, optional, optionsOf, partsOf } from "../edge.ts"

/** What the server's clock showed. Servers don't say in which time zone, so this is no point in time. */
export interface LogTime {
  readonly year: number
  /** 1–12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** Absent where the server gives whole seconds. */
  readonly millisecond?: number
}

/** The two parts of a line. */
export interface LogHead {
  /** Absent when the line does not begin with a date and time. */
  readonly time?: LogTime
  /** What follows the time, or the whole line; without line end. */
  readonly text: string
}

/** A line as it arrived. The secret that may have come with it is not part of it. */
export interface LogRecord extends LogHead {
  readonly format: "source" | "goldsource"
  /** The line as sent, line end included. */
  readonly line: string
  /** Its bytes as hex, where the text does not give them back. */
  readonly lineHex?: string
}

const HEAD = /^(?:L )?(\d\d)\/(\d\d)\/(\d{4}) - (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?(?::| -) /

const isTime = ({ day, hour, minute, month, second }: LogTime): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 60

/** Takes date and time off a line (`L 06/28/2025 - 08:42:47: …`, on Xash3D without `L `). */
export const parseHead = (line: string): LogHead => {
  demand("line", "a text", isText, line)
  const whole = line.replace(/[\r\n]+$/, "")
  // A line that ends with its time has lost the blank after it.
  const match = HEAD.exec(`${whole} `)
  if (match === null) return { text: whole }
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const millisecond = match[7] === undefined ? {} : { millisecond: Number(match[7]) }
  const time = { year, month, day, hour, minute, second, ...millisecond }
  return isTime(time) ? { time, text: whole.slice(match[0].length) } : { text: whole }
}

const two = (value: number): string => String(value).padStart(2, "0")

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

/** `2025-06-28T08:42:47`, without a time zone, as ISO 8601 has it for local time. Sorts by time. */
export const formatTime = (time: LogTime): string => {
  const { millisecond, ...whole } = partsOf("time", time)
  for (const name of ["year", "month", "day", "hour", "minute", "second"] as const) {
    demand(name, "a whole number of 0 or more", isCount, whole[name])
  }
  optional("millisecond", "a whole number of 0 or more", isCount, millisecond)
  const { day, hour, minute, month, second, year } = whole
  return (
    `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}` +
    (millisecond === undefined ? "" : `.${String(millisecond).padStart(3, "0")}`)
  )
}

const LINE_AT = HEADER_BYTES + 1

/** A datagram taken apart as far as its secret. */
export interface LogDatagram {
  readonly format: "source" | "goldsource"
  /** The bytes between type and line; absent for layouts without a secret. Not to be shown to anybody. */
  readonly secret?: Uint8Array
  /** The datagram as if it had come without a secret. */
  readonly plain: Uint8Array
}

/** Where the line begins after a secret: at its date, else behind the digits that a secret usually is. */
const endOfSecret = (datagram: Uint8Array): number => {
  for (let i = LINE_AT; i + 4 < datagram.length && datagram[i] !== 0; i++) {
    // `L ` and the first two digits of the date.
    if (datagram[i] === 0x4c && datagram[i + 1] === 0x20 && isDigit(datagram[i + 2]) && isDigit(datagram[i + 3]))
      return i
  }
  let end = LINE_AT
  while (isDigit(datagram[end])) end++
  return end
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** Tells a log datagram from others, and its secret from its line. `undefined` for anything else. */
export const openDatagram = (datagram: Uint8Array): LogDatagram | undefined => {
  switch (messageType(datagram)) {
    case MessageType.S2A_LOGSTRING:
      return { format: "source", plain: datagram }
    case MessageType.A2C_PRINT:
      return Result.isSuccess(GoldSourceLogLine.decode(datagram))
        ? { format: "goldsource", plain: datagram }
        : undefined
    case MessageType.S2A_LOGSTRING2: {
      const end = endOfSecret(datagram)
      const plain = new Uint8Array(LINE_AT + datagram.length - end)
      plain.set(datagram.subarray(0, HEADER_BYTES))
      plain[HEADER_BYTES] = MessageType.S2A_LOGSTRING
      plain.set(datagram.subarray(end), LINE_AT)
      return { format: "source", secret: datagram.subarray(LINE_AT, end), plain }
    }
    default:
      return undefined
  }
}

const WORD = `"[^"]*"?|[^\\s"]+`
/** `Rcon: "rcon 123 "secret" status" from …`, and `Bad Rcon: …` with what was tried. The number is HLDS's challenge. */
const RCON = new RegExp(`(rcon: "rcon\\s+)((?:-?\\d+\\s+)?)(${WORD})`, "i")
/** A new password, in a command, or told as the value of the variable. */
const RCON_VARIABLE = new RegExp(`(rcon_password(?:"\\s*(?:=|is)?\\s*(?=")|\\s+))(${WORD})`, "gi")
/** Xash3D has no challenge, so the first word is the password. */
const IS_XASH = /^.{4}log \d/s

const starred = (word: string): string => (word.startsWith('"') ? '"********"' : "********")

/** The datagram of a log line with stars in place of RCON passwords; any other datagram as it is. */
export const withoutPasswords = (datagram: Uint8Array): Uint8Array => {
  if (openDatagram(datagram) === undefined) return datagram
  // A character for each byte, so that nothing else changes, whatever the encoding.
  const text = decodeText(datagram, 0, datagram.length, "latin1").text
  if (!/rcon/i.test(text)) return datagram
  const shown = text
    .replace(RCON, (_, head: string, number: string, word: string) =>
      IS_XASH.test(text) && number !== "" ? `${head}******** ${word}` : `${head}${number}${starred(word)}`
    )
    .replace(RCON_VARIABLE, (_, head: string, word: string) => `${head}${starred(word)}`)
  return encodeText(shown, "latin1") ?? datagram
}

/** How a line is read. */
export interface ReadLineOptions {
  /** `auto` unless given. */
  readonly encoding?: Encoding | undefined
  /** Whether RCON passwords, which GoldSource and Xash3D log in clear, are shown. `false` unless given: they are starred out. */
  readonly showPasswords?: boolean | undefined
}

const READ_OPTIONS = ["encoding", "showPasswords"]

/** Reads the line of a datagram taken apart by {@link openDatagram}. An empty line has an empty text. */
export const readLine = (datagram: LogDatagram, options: ReadLineOptions = {}): LogRecord => {
  const { encoding = "auto", showPasswords = false } = partsOf("options", optionsOf(READ_OPTIONS, options))
  const { format, plain: given } = partsOf("datagram", datagram)
  demand("plain", "a datagram, as openDatagram gives it", (bytes) => isConnectionless(bytes as Uint8Array), given)
  const plain = showPasswords ? given : withoutPasswords(given)
  const codec = format === "source" ? LogLine : GoldSourceLogLine
  // Both layouts are a header that was checked and a text whose NUL may be missing: nothing is left to go wrong.
  const { line, lineHex } = Result.getOrThrow<LogLine | GoldSourceLogLine, unknown>(codec.decode(plain, { encoding }))
  return { format, ...parseHead(line), line, ...(lineHex === undefined ? {} : { lineHex }) }
}
