/** Takes one row of the list apart: a message, a fragment, or a reply joined from several datagrams. */
import { type DecodeError, type Encoding, dissect } from "@sourcewire/protocol"
import { type Joined, declarationOf, dissectFragment, isSplit, join } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import type { Datagram } from "../bytes/Datagram.ts"
import type { Anatomy, FieldNode, Section, Span } from "./Anatomy.ts"
import { plural } from "@sourcewire/capture"
import { type Locate, UNREAD, fieldTree } from "./fieldTree.ts"
import { problems } from "./findings.ts"
import type { Row } from "./survey.ts"

/** Takes a row apart; `datagrams` is the list that was surveyed. */
export const anatomise = (row: Row, datagrams: ReadonlyArray<Datagram>, encoding: Encoding = "auto"): Anatomy => {
  const parts = row.datagrams.map((index) => datagrams[index]!.bytes)
  const titles = row.datagrams.map((index) => `Datagram ${index + 1}`)
  if (parts.length === 1 && !isSplit(parts[0]!)) return ofMessage(parts[0]!, titles[0]!, encoding)
  if (parts.length === 1) return ofFragment(parts[0]!, titles[0]!, row.layout)
  const joined = join(parts)
  return Result.isFailure(joined)
    ? ofUnjoinable(parts, titles, joined.failure)
    : ofJoined(joined.success, parts, titles, encoding)
}

const within =
  (section: number): Locate =>
  (offset, length) => [{ section, start: offset, end: offset + length }]

/** A whole datagram as it is, without a list around it. */
export const ofMessage = (bytes: Uint8Array, title: string, encoding: Encoding): Anatomy =>
  explained(bytes, [{ title, bytes, kind: "datagram" }], within(0), encoding, [])

const ofFragment = (bytes: Uint8Array, title: string, layout: Joined["layout"] | undefined): Anatomy => ({
  title: "Fragment of a split reply",
  doc: layout === undefined ? "The other fragments are not here." : `Its header has the layout “${layout}”.`,
  sources: SPLIT_SOURCES,
  sections: [{ title, bytes, kind: "datagram" }],
  fields: fieldTree(dissectFragment(bytes, layout), bytes, within(0))
})

const SPLIT_SOURCES = "001, 003, 004"

const ofUnjoinable = (
  parts: ReadonlyArray<Uint8Array>,
  titles: ReadonlyArray<string>,
  error: DecodeError
): Anatomy => ({
  title: "Split reply that cannot be joined",
  doc: "",
  sources: SPLIT_SOURCES,
  sections: parts.map((bytes, i) => ({ title: titles[i]!, bytes, kind: "datagram" })),
  fields: parts.flatMap((bytes, i) => fieldTree(dissectFragment(bytes), bytes, within(i), undefined, `${i}:`)),
  problem: `${error.message}.`
})

const ofJoined = (
  joined: Joined,
  parts: ReadonlyArray<Uint8Array>,
  titles: ReadonlyArray<string>,
  encoding: Encoding
): Anatomy => {
  const ordered = joined.fragments.map((fragment) => fragment.datagram)
  const sections: Array<Section> = ordered.map((part, number) => ({
    title: `${titles[part]!}: fragment ${number + 1} of ${joined.total}`,
    bytes: parts[part]!,
    kind: "datagram"
  }))
  const headers = ordered.map((part, number): FieldNode => {
    const fields = dissectFragment(parts[part]!, joined.layout)
    const shown = joined.compressed ? fields : fields.filter((field) => field.path !== "payload")
    const children = fieldTree(shown, parts[part]!, within(number), undefined, `${number}:`)
    return {
      id: `fragment ${number + 1}`,
      name: `fragment ${number + 1}`,
      value: `${plural(parts[part]!.length, "byte")} in ${titles[part]!.toLowerCase()}`,
      doc: joined.compressed
        ? "Header of the fragment, and its part of the bzip2 stream."
        : "Header of the fragment. The rest of it is part of the message.",
      tone: "head",
      spans: children.flatMap((child) => child.spans),
      children
    }
  })
  if (!joined.compressed) return explained(joined.bytes, sections, acrossFragments(joined), encoding, headers)
  sections.push({ title: "Inflated reply", bytes: joined.bytes, kind: "inflated" })
  return explained(joined.bytes, sections, within(sections.length - 1), encoding, headers)
}

/** Joined bytes, found again in the datagrams that brought them. */
const acrossFragments =
  (joined: Joined): Locate =>
  (offset, length) => {
    const end = offset + length
    const spans = joined.fragments.flatMap((fragment, section): ReadonlyArray<Span> => {
      const from = Math.max(offset, fragment.start)
      const to = Math.min(end, fragment.start + fragment.length)
      const shift = fragment.offset - fragment.start
      return from < to ? [{ section, start: from + shift, end: to + shift }] : []
    })
    if (spans.length > 0) return spans
    // Nothing there: the place is behind the last byte.
    const last = joined.fragments.length - 1
    const { length: size, offset: begin } = joined.fragments[last]!
    return [{ section: last, start: begin + size, end: begin + size }]
  }

const explained = (
  bytes: Uint8Array,
  sections: ReadonlyArray<Section>,
  locate: Locate,
  encoding: Encoding,
  headers: ReadonlyArray<FieldNode>
): Anatomy => {
  const { fields, result } = dissect(bytes, { encoding })
  const message = Result.isSuccess(result) ? result.success : undefined
  const declaration = declarationOf(
    message?._tag ?? (Result.isFailure(result) && "messageTag" in result.failure ? result.failure.messageTag : "")
  )
  const tree = fieldTree(fields, bytes, locate, declaration)
  const found = problems(bytes, result, declaration, locate)
  return {
    title: declaration?.valve ?? "Not a message",
    doc: declaration?.doc ?? "",
    sources: declaration?.sources ?? "",
    sections,
    fields: [
      ...headers,
      ...tree.filter(({ id }) => id !== UNREAD),
      ...found.map(({ node }) => node),
      ...tree.filter(({ id }) => id === UNREAD)
    ],
    ...(message === undefined ? {} : { message }),
    ...(found.length === 0 ? {} : { problem: found.map(({ text }) => text).join(" ") })
  }
}
