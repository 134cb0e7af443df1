/**
 * Generates the byte tables of the documentation from declarations, one page per module of messages. Each page can have a section above
 * the tables, between two marks, that is written by hand and describes the exchange. This section is preserved.
 */
import { type Declaration, type Element, NUMBER_BYTES, type Presence } from "../src/declarations/Declaration.ts"
import { declarations, modules } from "../src/declarations/declarations.ts"

const TITLES: Readonly<Record<string, string>> = {
  info: "A2S_INFO",
  players: "A2S_PLAYER",
  rules: "A2S_RULES",
  challenge: "Challenges",
  ping: "A2A_PING",
  print: "Texts from the server",
  rcon: "RCON over UDP",
  log: "Log lines",
  master: "Master server",
  handshake: "Handshake and connection messages",
  unknown: "Other messages"
}

/** The handwritten section of a page, with its marks. */
const BY_HAND = /<!-- by hand -->\n[\s\S]*<!-- \/by hand -->\n\n/

/** Returns pairs of path and text. `written` returns the current text of a path, or an empty text if the file does not exist. */
export const tables = (written: (path: string) => string): ReadonlyArray<readonly [string, string]> => {
  const pages = Object.entries(modules).map(
    ([module, messages]) => [module, declarations.filter(({ tag }) => tag in messages)] as const
  )
  const index = pages.flatMap(([module, all]) => all.map((declaration) => indexRow(module, declaration)))
  return [
    [
      "docs/protocol/messages.md",
      `# Messages

This page lists all messages of Valve's query protocols. The linked pages show the bytes of the messages. Unless the page of a message says otherwise, its datagram begins with FF FF FF FF, and its numbers are little endian.

The column *documents* names the sources of each layout. The numbers in this column stand for public descriptions of the protocol: [000](document-000.md), [001](document-001.md), [002](document-002.md), [003](document-003.md) and [004](document-004.md).

| type | message | Valve's name | direction | documents |
|---|---|---|---|---|
${index.join("\n")}

If a message does not fit into one datagram, the server sends the message in several datagrams: see [split replies](split.md). The table is generated from the declarations by \`pnpm generate\`.
`
    ],
    ...pages.map(([module, all]) => {
      const path = `docs/protocol/${module}.md`
      return [path, page(module, all, BY_HAND.exec(written(path))?.[0] ?? "")] as const
    })
  ]
}

const indexRow = (module: string, declaration: Declaration): string =>
  `| ${formatType(declaration)} | [${declaration.tag}](${module}.md#${declaration.tag.toLowerCase()}) | ${declaration.valve} | ${declaration.direction} | ${escape(declaration.sources)} |`

const page = (module: string, all: ReadonlyArray<Declaration>, byHand: string): string =>
  `# ${TITLES[module] ?? module}

${byHand}${all.map(section).join("\n")}
The tables are generated from \`packages/protocol/src/declarations/${module}.ts\` by \`pnpm generate\`.
`

const section = (declaration: Declaration): string => `## ${declaration.tag}

${declaration.doc}

Valve's name: ${declaration.valve}. Documents: ${declaration.sources}.

| bytes | field | format | meaning |
|---|---|---|---|
${[...headerRows(declaration), ...declaration.fields.flatMap((element) => rows(element, "", ""))].join("\n")}
`

const headerRows = (declaration: Declaration): ReadonlyArray<string> => [
  ...(declaration.bare === true ? [] : ["| 4 | | long | −1: FF FF FF FF |"]),
  ...(declaration.type === undefined ? [] : [`| 1 | | byte | type ${formatType(declaration)} |`])
]

const formatType = ({ fields, type }: Declaration): string => {
  if (type !== undefined) return `0x${type.toString(16).toUpperCase().padStart(2, "0")} '${String.fromCharCode(type)}'`
  const first = fields[0]
  return first?.kind === "literal" ? `\`${escape(first.text.trim())}\`` : "any"
}

const FORMATS: Readonly<Record<string, string>> = {
  u8: "byte",
  u16: "short, unsigned",
  i32: "long",
  u32: "long, unsigned",
  f32: "float",
  u64: "long long, unsigned"
}

const rows = (element: Element, prefix: string, condition: string): ReadonlyArray<string> => {
  const name = `\`${prefix}${element.name}\``
  const when = [condition, ...(element.when ?? []).map(presence)].filter((part) => part !== "").join(" and ")
  const there = when === "" ? "" : ` Only ${when}.`
  const row = (bytes: string, format: string, more = ""): string =>
    `| ${bytes} | ${name} | ${format} | ${escape(element.doc)}${more}${there} |`
  switch (element.kind) {
    case "text":
      return [row("n + 1", "string", ending(element.unterminated))]
    case "flag":
    case "marker":
      return [row("1", "byte")]
    case "code":
      return [row("1", "byte", ` ${codes(element.names)}.`)]
    case "group":
      return element.fields.flatMap((field) => rows(field, `${prefix}${element.name}.`, when))
    case "bits":
      return [
        row("1", "byte", " May be missing."),
        ...element.fields.flatMap(({ bit, element: field }) =>
          rows(field, prefix, `if bit 0x${bit.toString(16).padStart(2, "0")} of \`${element.name}\` is set`)
        )
      ]
    case "list":
      return [
        `| ${NUMBER_BYTES[element.count.kind]} | \`${element.count.name}\` | ${FORMATS[element.count.kind]} | ${escape(element.count.doc)} The count can be wrong, so all complete entries are decoded. |`,
        ...element.entry.flatMap((field) => rows(field, `${element.name}[i].`, "")),
        ...(element.appended ?? []).flatMap((field) =>
          rows(field, `${element.name}[i].`, "after the last entry: one value for each entry")
        )
      ]
    case "literal":
      return [
        row(`${element.text.length}`, "bytes", element.optional === true ? "" : ` ${JSON.stringify(element.text)}.`)
      ]
    case "decimal":
      return [row("n", "decimal digits")]
    case "hexadecimal":
      return [row("8", "hexadecimal digits")]
    case "word":
      return [row("n + 1", "blank and word", " The blank and the word may be missing.")]
    case "quoted":
      return [row("n + 2", "text in quotes", " Without quotation marks, the password is one word.")]
    case "addresses":
      return [row("6 each", "address and port")]
    case "bytes":
      return [row(element.size === "rest" ? "rest" : `\`${element.size.field}\``, "bytes")]
    default:
      return [row(`${NUMBER_BYTES[element.kind]}`, FORMATS[element.kind]!)]
  }
}

const ending = (unterminated: "truncated" | "fine" | undefined): string => {
  if (unterminated === undefined) return ""
  return unterminated === "fine" ? " The NUL may be missing." : " If the NUL is missing, the reply counts as truncated."
}

const presence = (condition: Presence): string => {
  if ("field" in condition) return `if \`${condition.field}\` is ${condition.equals}`
  if ("text" in condition) return condition.text
  return condition.left === "some" ? "if bytes are left" : `if exactly ${condition.bytes} bytes are left`
}

const codes = (names: Readonly<Record<string, ReadonlyArray<number>>>): string =>
  Object.entries(names)
    .map(([name, bytes]) => `${bytes.map((byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(" ")} ${name}`)
    .join(", ")

const escape = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\0", "\\0")
