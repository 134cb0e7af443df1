/** Collects datagrams, and formats the findings of each conversation, for `decode --explain` and `query --explain`. */
import { passing } from "@sourcewire/capture"
import { type DiagnosedDatagram, type Diagnosis, type Finding, type Place, diagnose } from "@sourcewire/diagnosis"
import type { Canvas } from "../output/output.ts"
import { type Paint, safe, wrap } from "../output/text.ts"
import { heading } from "../view/card.ts"
import { plural } from "../view/quantities.ts"
import { isoTime } from "./isoTime.ts"

/** A datagram with a number, by which findings refer to the datagram. */
interface Collected extends DiagnosedDatagram {
  readonly timeNs?: bigint | undefined
  /** Number of the packet in the capture, or of the datagram in the text input, counted from 1. */
  readonly number: number
}

/**
 * Maximum number of datagrams that are explained together. If a capture contains more datagrams, the user must select a part of the
 * capture.
 */
const MAX_DATAGRAMS = 200_000
const MAX_BYTES = 64 * 1024 * 1024

/** Maximum number of byte positions that the text output lists for a finding. */
const SHOWN_PLACES = 4

export class Explanation {
  /** Number of datagrams that were not stored, because the maximum number of datagrams or bytes was reached. */
  dropped = 0
  readonly #collected: Array<Collected> = []
  #bytes = 0
  private readonly word: "packet" | "datagram"

  /** In the output, the numbered items of the input are called `word`: "packet" if the input is a capture, otherwise "datagram". */
  constructor(word: "packet" | "datagram") {
    this.word = word
  }

  add(datagram: Collected): void {
    this.#bytes += datagram.bytes.length
    // The bytes are copied, because a view of the bytes would keep the whole chunk of the file in memory.
    if (this.#collected.length < MAX_DATAGRAMS && this.#bytes <= MAX_BYTES) {
      this.#collected.push({ ...datagram, bytes: datagram.bytes.slice() })
    } else this.dropped++
  }

  /** Adds a datagram of text input, which has neither time nor addresses. */
  addBytes(bytes: Uint8Array): void {
    this.add({ bytes, number: this.#collected.length + this.dropped + 1 })
  }

  /**
   * Formats the findings of each conversation. Each address in `ends` restricts the output to conversations of which this address is an
   * endpoint.
   */
  lines(json: boolean, ends: ReadonlyArray<string>, refused: ReadonlySet<string> | undefined, out: Canvas) {
    const wanted = ends.map((one) => passing({ ends: one, words: "", type: "", faulty: false }))
    const listed = { name: "", summary: "", isFaulty: false }
    const datagrams = this.#collected.filter(({ from, to }) =>
      wanted.every((passes) => passes({ from, to, ...listed }))
    )
    return diagnose(datagrams, refused === undefined ? {} : { refused }).flatMap((one) =>
      json ? [JSON.stringify(toJson(one, datagrams))] : view(one, datagrams, this.word, out)
    )
  }
}

const toJson = ({ findings, ...conversation }: Diagnosis, datagrams: ReadonlyArray<Collected>) => ({
  ...conversation,
  datagrams: conversation.datagrams.length,
  findings: findings.map(({ places, ...finding }) => ({
    ...finding,
    places: places.map(({ datagram, length, offset }) => {
      const { number, timeNs } = datagrams[datagram]!
      return { packet: number, time: isoTime(timeNs), offset, length }
    })
  }))
})

const INDENT = "  "

const view = (
  { clients, datagrams: own, findings, server }: Diagnosis,
  datagrams: ReadonlyArray<Collected>,
  word: string,
  out: Canvas
): ReadonlyArray<string> => {
  const { columns, palette } = out
  const paints: Readonly<Record<Finding["severity"], Paint>> = {
    error: palette.bad,
    warning: palette.warning,
    note: palette.accent
  }
  const client = clients.length === 1 ? clients[0]! : plural(clients.length, "client")
  const title = server === undefined ? "Conversation" : safe(`${server} with ${client}`)
  const room = Math.max(30, columns - INDENT.length)
  const lines = findings.flatMap(({ hint, places, severity, text }) => [
    ...wrap(`${severity}: ${safe(text)}`, room).map((line, i) =>
      i === 0 ? `${INDENT}${paints[severity](severity)}${line.slice(severity.length)}` : `${INDENT}${line}`
    ),
    ...wrap(hint, room - INDENT.length).map((line) => `${INDENT}${INDENT}${palette.faint(line)}`),
    ...wrap(placesText(places, datagrams, word), room - INDENT.length).map(
      (line) => `${INDENT}${INDENT}${palette.faint(line)}`
    )
  ])
  return [
    heading(title, plural(own.length, "datagram"), out),
    ...(findings.length === 0 ? [`${INDENT}No findings.`] : lines),
    ""
  ]
}

const placesText = (places: ReadonlyArray<Place>, datagrams: ReadonlyArray<Collected>, word: string): string => {
  const shown = places.slice(0, SHOWN_PLACES).map(({ datagram, length, offset }) => {
    const { number } = datagrams[datagram]!
    const bytes =
      length === 0
        ? `the end, byte ${offset}`
        : length === 1
          ? `byte ${offset}`
          : `bytes ${offset}–${offset + length - 1}`
    return `${word} ${number}, ${bytes}`
  })
  const more = places.length - shown.length
  return more === 0 ? shown.join("; ") : `${shown.join("; ")}; and ${plural(more, "further place")}`
}
