/** Dissects one row of the list that `survey` returns: a message, a fragment, or a reply joined from several datagrams. */
import { type Encoding, dissect } from "@sourcewire/protocol"
import { type Joined, findDeclaration, dissectFragment, isSplit, join } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { Datagram } from "../bytes/Datagram.ts"
import type { Anatomy, FieldNode, Section, Span } from "./Anatomy.ts"
import { plural } from "@sourcewire/capture"
import { type Locate, UNREAD, fieldTree } from "./fieldTree.ts"
import { problems } from "./findings.ts"
import type { Row } from "./survey.ts"

/** Dissects a row. `datagrams` is the list from which `survey` created the row. */
export const anatomise = (row: Row, datagrams: ReadonlyArray<Datagram>, encoding: Encoding = "auto"): Anatomy => {
  const sections = row.datagrams.map((index): Section => {
    return { title: `Datagram ${index + 1}`, bytes: datagrams[index]!.bytes, kind: "datagram", datagram: index }
  })
  if (sections.length === 1 && !isSplit(sections[0]!.bytes)) return ofMessage(sections[0]!, encoding)
  if (sections.length === 1) {
    const { layout } = row
    const doc = layout === undefined ? "The other fragments are missing." : `Its header has the layout “${layout}”.`
    return ofFragments(sections, { title: "Fragment of a split reply", doc }, layout)
  }
  const joined = join(sections.map(({ bytes }) => bytes))
  if (Result.isSuccess(joined)) return ofJoined(joined.success, sections, encoding)
  const problem = `${joined.failure.message}.`
  return ofFragments(sections, { title: "Split reply that cannot be joined", doc: "", problem })
}

const within =
  (section: number): Locate =>
  (offset, length) => [{ section, start: offset, end: offset + length }]

/** Dissects a datagram that contains a complete message. */
export const ofMessage = (section: Section, encoding: Encoding): Anatomy =>
  explained(section.bytes, [section], within(0), encoding)

/** Dissects each fragment separately, without joining the fragments to a message. */
const ofFragments = (
  sections: ReadonlyArray<Section>,
  about: Pick<Anatomy, "title" | "doc" | "problem">,
  layout?: Joined["layout"]
): Anatomy => ({
  ...about,
  sources: "001, 003, 004",
  sections,
  fields: sections.flatMap(({ bytes }, i) =>
    fieldTree(dissectFragment(bytes, layout), bytes, within(i), undefined, `${i}:`)
  )
})

const ofJoined = (joined: Joined, arrived: ReadonlyArray<Section>, encoding: Encoding): Anatomy => {
  const ordered = joined.fragments.map(({ datagram }) => arrived[datagram]!)
  const sections = ordered.map((section, number) => ({
    ...section,
    title: `${section.title}: fragment ${number + 1} of ${joined.total}`
  }))
  const headers = ordered.map(({ bytes, title }, number): FieldNode => {
    const fields = dissectFragment(bytes, joined.layout)
    const shown = joined.compressed ? fields : fields.filter((field) => field.path !== "payload")
    const children = fieldTree(shown, bytes, within(number), undefined, `${number}:`)
    return {
      id: `fragment ${number + 1}`,
      name: `fragment ${number + 1}`,
      value: `${plural(bytes.length, "byte")} in ${title.toLowerCase()}`,
      doc: joined.compressed
        ? "Header of the fragment, and the part of the bzip2 stream that the fragment contains."
        : "Header of the fragment. The rest of the fragment is part of the message.",
      tone: "head",
      spans: children.flatMap((child) => child.spans),
      children
    }
  })
  if (!joined.compressed) return explained(joined.bytes, sections, acrossFragments(joined), encoding, headers)
  sections.push({ title: "Decompressed reply", bytes: joined.bytes, kind: "inflated" })
  return explained(joined.bytes, sections, within(sections.length - 1), encoding, headers)
}

/** Returns a function that converts a range of the joined bytes to ranges of bytes in the datagrams. */
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
    // An empty range stands for a missing byte. Only bytes at the end of a message can be missing, so the result is the end of the last
    // fragment.
    const last = joined.fragments.length - 1
    const { length: size, offset: begin } = joined.fragments[last]!
    return [{ section: last, start: begin + size, end: begin + size }]
  }

const explained = (
  bytes: Uint8Array,
  sections: ReadonlyArray<Section>,
  locate: Locate,
  encoding: Encoding,
  headers: ReadonlyArray<FieldNode> = []
): Anatomy => {
  const { fields, result } = dissect(bytes, { encoding })
  const message = Result.isSuccess(result) ? result.success : undefined
  const declaration = findDeclaration(
    message?._tag ?? (Result.isFailure(result) && "messageTag" in result.failure ? result.failure.messageTag : "")
  )
  const tree = fieldTree(fields, bytes, locate, declaration)
  const found = problems(bytes, locate)
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
