/**
 * Converts the rows that the page shows to formats for people and for other programs. The functions are pure. The formats are:
 *
 * - pcapng with the findings as comments
 * - JSON lines
 * - the replies that a server sends (`sourcewire serve --replies`)
 * - Markdown for an issue thread
 */
import { plural, writePcapng } from "@sourcewire/capture"
import { displayText } from "@sourcewire/core/text"
import type { Finding, Place } from "@sourcewire/diagnosis"
import { toHex } from "@sourcewire/protocol"
import { findDeclaration } from "@sourcewire/protocol/wire"
import { type Row, anatomise, findLastDatagram, formatName } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"
import type { Encoding } from "@sourcewire/protocol"
import { formatReplies } from "../../engine/formatReplies.ts"
import { repliesIn } from "../../engine/repliesIn.ts"
import { explain } from "./explain.ts"
import { bySeverity, tally } from "./explanation.ts"

/** The rows to export. */
export interface Shown {
  readonly datagrams: ReadonlyArray<Datagram>
  readonly encoding: Encoding
  readonly refused?: ReadonlySet<string> | undefined
}

/** The indexes of the datagrams that contain a request. */
const requestsIn = (rows: ReadonlyArray<Row>): ReadonlySet<number> =>
  new Set(
    rows.flatMap(({ datagrams, tag }) =>
      tag !== undefined && findDeclaration(tag)?.direction === "request" ? datagrams : []
    )
  )

/** Placeholders for the unknown addresses of pasted bytes. These addresses are reserved for documentation. */
const SERVER = "192.0.2.1:27015"
const CLIENT = "192.0.2.9:50000"

/**
 * Returns the parts of a pcapng file. The file contains one packet for each datagram. The comments of a packet are the findings about its
 * datagram. Wireshark and tshark show these comments.
 */
export const toPcapng = (shown: Shown): ReadonlyArray<Uint8Array<ArrayBuffer>> => {
  const { diagnoses, rows } = explain(shown)
  const requests = requestsIn(rows)
  const comments = new Map<number, Array<string>>()
  for (const { findings } of diagnoses) {
    for (const { hint, places, severity, text } of findings) {
      for (const datagram of new Set(places.map((place) => place.datagram))) {
        const own = places.filter((place) => place.datagram === datagram)
        const sentence = `${severity}: ${text} (${placesText(own, false)})\n${hint}`
        comments.set(datagram, [...(comments.get(datagram) ?? []), sentence])
      }
    }
  }
  const hasEnds = shown.datagrams.every(({ from, to }) => isNumeric(from) && isNumeric(to))
  const about = `${aboutFile(
    shown,
    diagnoses.flatMap(({ findings }) => findings)
  )}${hasEnds ? "" : " Addresses of 192.0.2.0/24 and 2001:db8::/32 are placeholders for unknown ones."}`
  return writePcapng(
    shown.datagrams.map(({ bytes, from, timeMs, to }, index) => ({
      bytes,
      timeMs,
      from: from ?? (requests.has(index) ? CLIENT : SERVER),
      to: to ?? (requests.has(index) ? SERVER : CLIENT),
      comments: comments.get(index) ?? []
    })),
    about
  )
}

const isNumeric = (address: string | undefined): boolean => /^(\d+(\.\d+){3}|\[[\da-f:]+\]):\d+$/i.test(address ?? "")

const aboutFile = ({ datagrams }: Shown, findings: ReadonlyArray<Finding>): string =>
  `Exported by Sourcewire’s playground: ${plural(datagrams.length, "datagram")}, ${tally(findings)}.`

/** Returns JSON lines: one line for each row, and then one line for each conversation, with the findings about it. */
export const toJsonLines = (shown: Shown): string => {
  const { datagrams, encoding } = shown
  const { diagnoses, rows } = explain(shown)
  const messages = rows.map((row) => {
    const { from, timeMs, to } = findLastDatagram(row, datagrams)
    const { message, problem } = anatomise(row, datagrams, encoding)
    const hex = row.kind === "joined" ? undefined : toHex(datagrams[row.datagrams[0]!]!.bytes)
    const numbers = row.datagrams.map((one) => one + 1)
    return { kind: row.kind, datagrams: numbers, timeMs, source: from, destination: to, hex, message, problem }
  })
  const conversations = diagnoses.map((one) => ({
    ...one,
    datagrams: one.datagrams.map((index) => index + 1),
    findings: one.findings.map((finding) => ({
      ...finding,
      places: finding.places.map((place) => ({ ...place, datagram: place.datagram + 1 }))
    }))
  }))
  return [...messages, ...conversations].map((line) => `${JSON.stringify(line)}\n`).join("")
}

/** Returns the content of a file for `sourcewire serve --replies`, or the reason why there is no such file. */
export const toReplies = ({ datagrams }: Shown): { readonly text?: string; readonly problem?: string } => {
  const [only, ...others] = repliesIn(datagrams)
  if (only === undefined)
    return { problem: "There is no reply to INFO, PLAYER, RULES or PING. Use “Serve these bytes”." }
  if (others.length === 0) return { text: formatReplies(only.replies) }
  return { problem: `There are replies of ${others.length + 1} servers. Select one server with the filter.` }
}

/** The Markdown contains at most this number of rows, and at most this number of bytes of the datagrams. */
const MARKDOWN_ROWS = 40
const MARKDOWN_BYTES = 4096

/** Formats untrusted text as inline code, so that Markdown does not interpret the text. */
const code = (text: string): string =>
  `\`${displayText(text).replaceAll("`", "´").replaceAll("|", "\\|").replaceAll("\n", " ")}\``

/** Escapes untrusted text for use in a sentence, so that it contains no links, mentions, markup or HTML. */
const escaped = (text: string): string =>
  displayText(text)
    .replaceAll(/[\\*_[\]<>|#~]/g, "\\$&")
    .replaceAll("@", "@\u200b")

const placesText = (places: ReadonlyArray<Place>, withDatagram = true): string =>
  places
    .slice(0, 4)
    .map(({ datagram, length, offset }) => {
      const bytes =
        length === 0
          ? `end, byte ${offset}`
          : length === 1
            ? `byte ${offset}`
            : `bytes ${offset}–${offset + length - 1}`
      return withDatagram ? `datagram ${datagram + 1}, ${bytes}` : bytes
    })
    .join("; ")

/**
 * Returns Markdown for an issue thread: the findings, the list of rows, and the bytes of the datagrams. `link` is a URL that opens the page
 * with the exported datagrams. Without `link`, the Markdown contains no link.
 */
export const toMarkdown = (shown: Shown, link: string | undefined): string => {
  const { datagrams } = shown
  const { diagnoses, rows } = explain(shown)
  const all = diagnoses.flatMap(({ findings }) => findings)
  const begin = datagrams[0]?.timeMs
  const isLong = rows.length > MARKDOWN_ROWS
  const listed = rows.slice(0, MARKDOWN_ROWS)
  const lines = bySeverity(diagnoses).flatMap(({ findings, server }) =>
    findings.map(({ hint, places, severity, text }) => {
      const where = diagnoses.length > 1 && server !== undefined ? `${code(server)}: ` : ""
      return `- **${severity}**: ${where}${escaped(text)} ${hint} (${placesText(places)})`
    })
  )
  const table = listed.map((row) => {
    const { from, timeMs, to } = findLastDatagram(row, datagrams)
    const seconds = timeMs === undefined || begin === undefined ? "" : ((timeMs - begin) / 1000).toFixed(3)
    const number = row.datagrams.map((one) => one + 1).join(", ")
    const ends = from === undefined ? "" : code(`${from} → ${to}`)
    return `| ${number} | ${seconds} | ${ends} | ${row.size} | ${code(formatName(row))} | ${row.summary === "" ? "" : code(row.summary)} |`
  })
  let left = MARKDOWN_BYTES
  const bytes = datagrams.map(({ bytes }) => {
    const shownBytes = bytes.subarray(0, Math.max(0, left))
    left -= bytes.length
    return shownBytes.length < bytes.length ? `${toHex(shownBytes)}… (${bytes.length} bytes)` : toHex(bytes)
  })
  return [
    `### ${plural(datagrams.length, "datagram")}: ${tally(all)}`,
    "",
    ...(lines.length === 0 ? ["No findings."] : lines),
    "",
    "| datagram | s | from → to | bytes | type | content |",
    "|---|---|---|---|---|---|",
    ...table,
    ...(isLong ? ["", `${rows.length - MARKDOWN_ROWS} further rows are not listed.`] : []),
    "",
    "<details><summary>Bytes</summary>",
    "",
    "```",
    ...bytes.slice(0, MARKDOWN_ROWS),
    "```",
    "",
    "</details>",
    ...(link === undefined ? [] : ["", `[Open in the playground](${link})`]),
    ""
  ].join("\n")
}
