/**
 * Converts the list of fields in a dissection to a tree. For example, `players[3].score` becomes the field `score` in the entry `[3]` of
 * `players`.
 */
import { displayJson } from "@sourcewire/core/text"
import type { DissectedField } from "@sourcewire/protocol"
import { type Declaration, listBits, explainField } from "@sourcewire/protocol/wire"
import type { FieldNode, Span, Tone } from "./Anatomy.ts"

/**
 * Returns the spans of the bytes of a field. If these bytes are in several datagrams, the result contains one span for each of these
 * datagrams.
 */
export type Locate = (offset: number, length: number) => ReadonlyArray<Span>

interface Branch {
  readonly id: string
  readonly name: string
  readonly children: Array<FieldNode | Branch>
}

/**
 * Converts the fields of a message or fragment to a tree. `bytes` is the whole message or fragment. If several trees are shown together,
 * each tree needs a different `prefix`, so that all ids are unique.
 */
export const fieldTree = (
  fields: ReadonlyArray<DissectedField>,
  bytes: Uint8Array,
  locate: Locate,
  declaration?: Declaration,
  prefix = ""
): ReadonlyArray<FieldNode> => {
  const root: Branch = { id: prefix, name: "", children: [] }
  const branches = new Map<string, Branch>()
  for (const field of fields) {
    const steps = field.path.match(/\[\d+\]|[^.[\]]+/g) ?? [field.path]
    let branch = root
    let path = prefix
    for (const step of steps.slice(0, -1)) {
      path += path === prefix || step.startsWith("[") ? step : `.${step}`
      let next = branches.get(path)
      if (next === undefined) {
        next = { id: path, name: step, children: [] }
        branches.set(path, next)
        branch.children.push(next)
      }
      branch = next
    }
    const spans = locate(field.offset, field.length)
    const meaning = explainField(field, bytes, declaration)
    branch.children.push({
      id: prefix + field.path,
      name: field.path === UNREAD ? "not decoded" : steps.at(-1)!,
      type: field.type,
      value: show(field),
      ...(meaning === undefined ? {} : { meaning }),
      doc: field.doc,
      tone: chooseTone(field),
      spans,
      children: declaration === undefined ? [] : bits(field, declaration, spans)
    })
  }
  const docs = new Map(groupDocs(declaration?.fields ?? []))
  return root.children.map((child) => close(child, docs))
}

/** Name of the field for the bytes after the part that the decoder read. */
export const UNREAD = "unread"

const bits = (field: DissectedField, declaration: Declaration, spans: FieldNode["spans"]): ReadonlyArray<FieldNode> =>
  listBits(field, declaration).map(({ mask, name, pattern, set }) => ({
    id: `${field.path} ${mask}`,
    name: pattern,
    value: name ?? "unnamed",
    meaning: set ? "follows" : "not sent",
    doc: declaration.fields
      .flatMap((one) => (one.kind === "bits" ? one.fields : []))
      .filter(({ bit }) => bit === mask)
      .map(({ element }) => element.doc)
      .join(""),
    tone: "code",
    spans,
    children: []
  }))

const close = (node: FieldNode | Branch, docs: ReadonlyMap<string, string>): FieldNode => {
  if ("spans" in node) return node
  const children = node.children.map((child) => close(child, docs))
  const entry = node.name.startsWith("[")
  const isList = children[0]!.name.startsWith("[")
  return {
    id: node.id,
    name: node.name,
    value: entry ? children.map((child) => child.value).join(" · ") : isList ? String(children.length) : "",
    doc: docs.get(entry ? "[]" : node.name) ?? "",
    tone: children[0]!.tone,
    spans: merged(children.flatMap((child) => child.spans)),
    children
  }
}

/** Merges spans that overlap or touch. */
export const merged = (spans: ReadonlyArray<Span>): ReadonlyArray<Span> => {
  const result: Array<Span> = []
  for (const span of spans.toSorted((a, b) => a.section - b.section || a.start - b.start)) {
    const last = result.at(-1)
    if (last !== undefined && last.section === span.section && span.start <= last.end) {
      result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    } else result.push(span)
  }
  return result
}

const SHOWN_HEX_DIGITS = 64

const show = ({ type, value }: DissectedField): string => {
  if (type === "bytes" && typeof value === "string") {
    return value.length > SHOWN_HEX_DIGITS ? `${value.slice(0, SHOWN_HEX_DIGITS)}…` : value
  }
  if (["text", "quoted", "literal", "word"].includes(type)) return displayJson(JSON.stringify(value))
  if (type === "f32" && typeof value === "number")
    return String(Math.fround(value) === value ? Number(value.toPrecision(9)) : value)
  if ((type === "code" || type === "bits") && typeof value === "number")
    return `0x${value.toString(16).padStart(2, "0")}`
  return String(value)
}

const TONES: Readonly<Record<string, Tone>> = {
  text: "text",
  quoted: "text",
  literal: "head",
  flag: "code",
  code: "code",
  bits: "code",
  u64: "id",
  addresses: "id",
  bytes: "raw"
}

const chooseTone = ({ path, type }: DissectedField): Tone =>
  path === "header" || path === "type" ? "head" : (TONES[type] ?? "number")

/**
 * Returns the name and the description of each element of a declaration, also of the elements in groups. For the entries of a list, the
 * name is `[]`.
 */
const groupDocs = (elements: Declaration["fields"]): ReadonlyArray<readonly [name: string, doc: string]> =>
  elements.flatMap((element) => [
    [element.name, element.doc],
    ...(element.kind === "list" ? [["[]", `One ${element.entryName}.`] as const] : []),
    ...(element.kind === "group" ? groupDocs(element.fields) : [])
  ])
