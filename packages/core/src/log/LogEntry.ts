/**
 * Parses a log line from a datagram. `LogStream` receives the datagrams.
 *
 * Three layouts of datagrams are supported:
 *
 * - Source: `R`, then the line
 * - Source with a secret: `S`, then the secret, then the line
 * - GoldSource: `log `, then the line
 *
 * A line usually begins with `L ` (not on Xash3D), date and time. If a line does not contain a date and time, the field `text` contains the
 * whole line.
 *
 * GoldSource and Xash3D log each RCON command with its password in clear text. If you do not set `showPasswords`, this module replaces the
 * password with asterisks.
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
import { demand, isText, optional, checkedOptions, copyProperties } from "../edge.ts"

/** Date and time of the server's clock. The time zone of the server is unknown, so a `LogTime` does not identify a point in time. */
export interface LogTime {
  readonly year: number
  /** The month, 1–12. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  /** The milliseconds, 0–999. Absent if the server does not log milliseconds. */
  readonly millisecond?: number
}

/** A line, split into time and text. */
export interface LogHead {
  /** The date and time at the start of the line. Absent if the line does not begin with a date and time. */
  readonly time?: LogTime
  /** The text after the time or, if `time` is absent, the whole line. The line end is not included. */
  readonly text: string
}

/** A received line, without the secret of the datagram. */
export interface LogRecord extends LogHead {
  readonly format: "source" | "goldsource"
  /** The line as sent, including the line end. If `showPasswords` is `false`, asterisks replace RCON passwords. */
  readonly line: string
  /** The bytes of the line as hex. Present if these bytes cannot be restored from `line`. */
  readonly lineHex?: string
}

const HEAD = /^(?:L )?(\d\d)\/(\d\d)\/(\d{4}) - (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?(?::| -) /

const isTime = ({ day, hour, minute, month, second }: LogTime): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 60

/** Splits a line such as `L 06/28/2025 - 08:42:47: …` into its time and its text. Xash3D's lines do not begin with `L `. */
export const parseHead = (line: string): LogHead => {
  demand("line", "a text", isText, line)
  const whole = line.replace(/[\r\n]+$/, "")
  // The pattern requires a space after the time. If the text is empty, the line may end directly after the time. Therefore a space is added
  // to the line.
  const match = HEAD.exec(`${whole} `)
  if (match === null) return { text: whole }
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number)
  const millisecond = match[7] === undefined ? {} : { millisecond: Number(match[7]) }
  const time = { year, month, day, hour, minute, second, ...millisecond }
  return isTime(time) ? { time, text: whole.slice(match[0].length) } : { text: whole }
}

const two = (value: number): string => String(value).padStart(2, "0")

const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0

/**
 * Formats a time as `2025-06-28T08:42:47` or `2025-06-28T08:42:47.123`: ISO 8601 without a time zone. The alphabetical order of these texts
 * is the chronological order of the times.
 */
export const formatTime = (time: LogTime): string => {
  const { millisecond, ...whole } = copyProperties("time", time)
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

/** A log datagram, split into secret and line. */
export interface LogDatagram {
  readonly format: "source" | "goldsource"
  /** The secret: the bytes between the type byte and the line. Absent for layouts without a secret. Do not show these bytes to users. */
  readonly secret?: Uint8Array
  /** The datagram in the layout without a secret. */
  readonly plain: Uint8Array
}

/**
 * Returns the offset at which the line begins in a datagram with a secret. A line with a date begins at the `L ` before the date. A line
 * without a date begins after the digits of the secret.
 */
const endOfSecret = (datagram: Uint8Array): number => {
  for (let i = LINE_AT; i + 4 < datagram.length && datagram[i] !== 0; i++) {
    // Checks for `L ` and the first two digits of the date.
    if (datagram[i] === 0x4c && datagram[i + 1] === 0x20 && isDigit(datagram[i + 2]) && isDigit(datagram[i + 3]))
      return i
  }
  let end = LINE_AT
  while (isDigit(datagram[end])) end++
  return end
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** Splits a log datagram into secret and line. Returns `undefined` if the datagram is not a log datagram. */
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
/**
 * Matches the password in log lines such as `Rcon: "rcon 123 "secret" status" from …`, and `Bad Rcon: …` after a wrong password. HLDS logs
 * the challenge of the command before the password.
 */
const RCON = new RegExp(`(rcon: "rcon\\s+)((?:-?\\d+\\s+)?)(${WORD})`, "i")
/** Matches a new password, in a command or as the value of the variable `rcon_password`. */
const RCON_VARIABLE = new RegExp(`(rcon_password(?:"\\s*(?:=|is)?\\s*(?=")|\\s+))(${WORD})`, "gi")
/**
 * Matches a log datagram of Xash3D, in which a digit of the date follows `log `. RCON commands of Xash3D contain no challenge, so the first
 * word after `rcon` is the password.
 */
const IS_XASH = /^.{4}log \d/s

const maskWord = (word: string): string => (word.startsWith('"') ? '"********"' : "********")

/** Replaces RCON passwords in a log datagram with asterisks. If the datagram contains no RCON passwords, it is returned unchanged. */
export const withoutPasswords = (datagram: Uint8Array): Uint8Array => {
  if (openDatagram(datagram) === undefined) return datagram
  // The text has one character per byte. Therefore the bytes before and after the password do not change, whatever the encoding of the line
  // is.
  const text = decodeText(datagram, 0, datagram.length, "latin1").text
  if (!/rcon/i.test(text)) return datagram
  const shown = text
    .replace(RCON, (_, head: string, number: string, word: string) =>
      IS_XASH.test(text) && number !== "" ? `${head}******** ${word}` : `${head}${number}${maskWord(word)}`
    )
    .replace(RCON_VARIABLE, (_, head: string, word: string) => `${head}${maskWord(word)}`)
  return encodeText(shown, "latin1") ?? datagram
}

/** Options for parsing a line. */
export interface ReadLineOptions {
  /** Encoding of the line (default: `auto`). */
  readonly encoding?: Encoding | undefined
  /**
   * Whether to show RCON passwords, which GoldSource and Xash3D log in clear text (default: `false`). If `false`, asterisks replace the
   * passwords.
   */
  readonly showPasswords?: boolean | undefined
}

const READ_OPTIONS = ["encoding", "showPasswords"]

/** Parses the line of a datagram that {@link openDatagram} returned. If the line is empty, the text is empty. */
export const readLine = (datagram: LogDatagram, options: ReadLineOptions = {}): LogRecord => {
  const { encoding = "auto", showPasswords = false } = copyProperties("options", checkedOptions(READ_OPTIONS, options))
  const { format, plain: given } = copyProperties("datagram", datagram)
  demand("plain", "a datagram, as returned by openDatagram", (bytes) => isConnectionless(bytes as Uint8Array), given)
  const plain = showPasswords ? given : withoutPasswords(given)
  const codec = format === "source" ? LogLine : GoldSourceLogLine
  // Decoding cannot fail: the header was checked, and any bytes after the header are a valid text, even without a NUL at the end.
  const { line, lineHex } = Result.getOrThrow<LogLine | GoldSourceLogLine, unknown>(codec.decode(plain, { encoding }))
  return { format, ...parseHead(line), line, ...(lineHex === undefined ? {} : { lineHex }) }
}
