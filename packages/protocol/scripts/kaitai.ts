/**
 * Generates the Kaitai Struct specification from declarations. It describes the messages that can be identified by their type byte alone,
 * and both challenges. Kaitai cannot express incomplete last entries, numbers in digits, or conditions with regular expressions. Messages
 * that need them are plain bytes in the specification.
 */
import type { Declaration, Element, NumberElement, NumberKind, Presence } from "../src/declarations/Declaration.ts"
import { CHALLENGE_BYTES, HANDSHAKE_MAGIC, HEADER_BYTES, MessageType, u32, WHOLE } from "../src/Wire.ts"

type Yaml = string | number | boolean | ReadonlyArray<Yaml> | { readonly [key: string]: Yaml | undefined }
type Attribute = Readonly<Record<string, Yaml | undefined>>
type Types = Record<string, Yaml>

const CHALLENGE_TYPE = MessageType.S2C_CHALLENGE
const MAGIC_NUMBER = u32(new TextEncoder().encode(HANDSHAKE_MAGIC), 0)
/** Stands for the type of the handshake's challenge, because both challenges have the same type byte. */
const HANDSHAKE = 0x100 + CHALLENGE_TYPE
const OPAQUE = 0x200 + CHALLENGE_TYPE

const TYPES: Readonly<Record<NumberKind, string>> = { u8: "u1", u16: "u2", i32: "s4", u32: "u4", f32: "f4", u64: "u8" }
const UNSUPPORTED = new Set(["decimal", "hexadecimal", "word", "quoted"])

const formatId = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, "")

const isPlain = (text: string): boolean => /^[A-Za-z0-9_./-]+( [A-Za-z0-9_./-]+)*$/.test(text) && !/^[\d.-]/.test(text)

/** Block style, except for lists of numbers. */
const yaml = (value: Yaml, indent: string): string => {
  if (typeof value === "string") return isPlain(value) ? ` ${value}\n` : ` ${JSON.stringify(value)}\n`
  if (typeof value !== "object") return ` ${value}\n`
  if (Array.isArray(value)) {
    const list = value as ReadonlyArray<Yaml>
    if (list.every((one) => typeof one === "number")) return ` [${list.join(", ")}]\n`
    return `\n${list.map((one) => `${indent}- ${yaml(one, `${indent}  `).trimStart()}`).join("")}`
  }
  const entries = Object.entries(value).filter((entry): entry is [string, Yaml] => entry[1] !== undefined)
  return `\n${entries.map(([key, one]) => `${indent}${key}:${yaml(one, `${indent}  `)}`).join("")}`
}

const isSupported = (elements: ReadonlyArray<Element>): boolean =>
  elements.every(
    (element) =>
      !UNSUPPORTED.has(element.kind) &&
      !(element.kind === "literal" && element.optional) &&
      !(element.when ?? []).some((one) => "matches" in one || "misses" in one) &&
      (element.kind !== "group" || isSupported(element.fields))
  )

/** Formats a condition in Kaitai's expression language. It can depend on the elements in `fields`. */
const formatCondition = (presence: Presence, fields: ReadonlyArray<Element>): string => {
  if ("field" in presence) {
    const field = fields.find(({ name }) => name === presence.field)!
    const { equals } = presence
    const codes = field.kind === "code" && typeof equals === "string" ? field.names[equals]! : [Number(equals)]
    return codes.map((code) => `${formatId(presence.field)} == ${code}`).join(" or ")
  }
  if (!("left" in presence)) throw new Error("Kaitai has no regular expressions")
  return presence.left === "some" ? "not _io.eof" : `_io.size - _io.pos == ${presence.bytes}`
}

const formatConditions = (
  when: ReadonlyArray<Presence> | undefined,
  fields: ReadonlyArray<Element>
): string | undefined =>
  when
    ?.map((one) => (when.length === 1 ? formatCondition(one, fields) : `(${formatCondition(one, fields)})`))
    .join(" and ")

const toAttribute = ({ doc, kind, name }: Pick<NumberElement, "doc" | "kind" | "name">): Attribute => ({
  id: formatId(name),
  type: TYPES[kind],
  doc
})

/** Adds the types that elements need, and returns their attributes. */
const toAttributes = (fields: ReadonlyArray<Element>, types: Types): ReadonlyArray<Attribute> =>
  fields.flatMap((element): ReadonlyArray<Attribute> => {
    const { doc, kind, name } = element
    const id = formatId(name)
    const common = { id, doc, if: formatConditions(element.when, fields) }
    switch (kind) {
      case "text":
        return [{ ...common, type: "strz", "eos-error": element.unterminated === undefined ? undefined : false }]
      case "flag":
      case "marker":
      case "code":
        return [{ ...common, type: "u1" }]
      case "group":
        types[id] = { seq: toAttributes(element.fields, types) }
        return [{ ...common, type: id }]
      case "bits": {
        const flagged = element.fields.flatMap(({ bit, element: one }) =>
          toAttributes([one], types).map((attribute) => ({ ...attribute, if: `(${id} & ${bit}) != 0` }))
        )
        types[`${id}_fields`] = { seq: [{ id, type: "u1", doc }, ...flagged] }
        return [{ id: `${id}_fields`, type: `${id}_fields`, if: "not _io.eof" }]
      }
      case "list": {
        const { appended, count, entry, entryName } = element
        const announced = formatId(count.name)
        types[entryName] = { seq: toAttributes(entry, types) }
        const bytes = appended?.length === undefined ? 0 : 4 * appended.length
        if (appended !== undefined) types[`${entryName}_appended`] = { seq: appended.map(toAttribute) }
        return [
          toAttribute(count),
          {
            id,
            doc,
            type: entryName,
            if: `${announced} > 0 and not _io.eof`,
            repeat: "until",
            "repeat-until": `_io.eof or _index + 1 == ${announced}`
          },
          ...(appended === undefined
            ? []
            : [
                {
                  id: `${id}_appended`,
                  doc: "Further fields of each entry, after all entries.",
                  type: `${entryName}_appended`,
                  if: `${announced} > 0 and _io.size - _io.pos == ${announced} * ${bytes}`,
                  repeat: "expr",
                  "repeat-expr": announced
                }
              ]),
          {
            id: `${id}_beyond_count`,
            doc: "Entries beyond the count, which wraps or saturates.",
            type: entryName,
            if: "not _io.eof",
            repeat: "eos"
          }
        ]
      }
      case "literal":
        // The NUL at the end may be missing.
        return element.text.indexOf("\0") === element.text.length - 1
          ? [{ ...common, type: "strz", "eos-error": false, valid: `'${element.text.slice(0, -1)}'` }]
          : [{ ...common, contents: [...element.text].map((character) => character.charCodeAt(0)) }]
      case "bytes":
        return [
          { ...common, ...(element.size === "rest" ? { "size-eos": true } : { size: formatId(element.size.field) }) }
        ]
      case "addresses":
        types.address = {
          seq: [
            { id: "ip", size: 4 },
            { id: "port", type: "u2be" }
          ]
        }
        return [
          { id: "padding", size: 2, if: "(_io.size - _io.pos) % 6 == 2" },
          {
            ...common,
            type: "address",
            if: "_io.size - _io.pos >= 6",
            repeat: "until",
            "repeat-until": "_io.size - _io.pos < 6 or (_.ip == [0, 0, 0, 0] and _.port == 0)"
          }
        ]
      case "decimal":
      case "hexadecimal":
      case "word":
      case "quoted":
        throw new Error(`Kaitai cannot express ${kind}`)
      default:
        return [{ ...toAttribute(element), if: common.if }]
    }
  })

/** The text of the specification. */
export const kaitai = (declarations: ReadonlyArray<Declaration>): string => {
  const withHeader = declarations.filter(({ bare, type }) => bare !== true && type !== undefined)
  /** Whether a message is a text whose first letter is this type byte. */
  const beginsText = (type: number): boolean =>
    declarations.some(
      ({ bare, fields: [first], type: other }) =>
        bare !== true && other === undefined && first?.kind === "literal" && first.text.charCodeAt(0) === type
    )
  const chosen = withHeader.filter(
    ({ fields, tag, type }) =>
      isSupported(fields) &&
      ((withHeader.filter((other) => other.type === type).length === 1 && !beginsText(type!)) ||
        tag === "ChallengeReply" ||
        tag === "HandshakeChallenge")
  )
  const typeByte = ({ tag, type }: Declaration): number => (tag === "HandshakeChallenge" ? HANDSHAKE : type!)
  const types: Types = Object.fromEntries(
    chosen.map(({ doc, fields, tag, valve }): [string, Yaml] => {
      const inner: Types = {}
      const seq = [...toAttributes(fields, inner), { id: "trailing", "size-eos": true }]
      const hasRest = fields.some((element) => element.kind === "bytes" && element.size === "rest")
      return [
        formatId(tag),
        {
          doc: `${valve}: ${doc}`,
          seq: hasRest ? seq.slice(0, -1) : seq,
          types: Object.keys(inner).length === 0 ? undefined : inner
        }
      ]
    })
  )
  const specification = {
    meta: {
      id: "source_query",
      title: "Valve's game-server queries (A2S), one datagram",
      license: "MIT",
      endian: "le",
      encoding: "UTF-8"
    },
    doc: "A whole datagram of the Source and GoldSource engines' query protocol. Join split replies (FE FF FF FF) first.",
    seq: [
      { id: "header", contents: Array.from({ length: HEADER_BYTES }, (_, i) => (WHOLE >>> (8 * i)) & 0xff) },
      { id: "type", type: "u1" },
      {
        id: "body",
        type: {
          "switch-on": "kind",
          cases: Object.fromEntries(chosen.map((one) => [typeByte(one), formatId(one.tag)]))
        },
        "size-eos": true
      }
    ],
    instances: {
      magic: { pos: 5, type: "u4", doc: "Tells the challenge of a handshake from that of a query." },
      kind: {
        value: `type == ${CHALLENGE_TYPE} and _io.size > ${CHALLENGE_BYTES} ? (magic == ${MAGIC_NUMBER} ? ${HANDSHAKE} : ${OPAQUE}) : type`,
        doc: "The type, or a number of its own for what has the type of another message."
      }
    },
    types
  }
  return `# Kaitai Struct specification of Valve's game-server queries. Generated from packages/protocol/src/declarations by \`pnpm generate\`;
# not to be edited.
${yaml(specification, "").trimStart()}`
}
