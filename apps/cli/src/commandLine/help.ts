/** Help as text: what effect/cli knows of a command, in lines that fit the terminal. */
import type { ArgDoc, FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import * as Option from "effect/Option"
import { filled } from "../output/sentences.ts"
import { type Palette, displayWidth, padEnd, wrap } from "../output/text.ts"
import type { Canvas } from "../output/output.ts"

const INDENT = "  "

// What stands behind a longer name begins on the next line.
const MAX_NAME_COLUMNS = 24

export type Row = readonly [name: string, text: string]

const table = (rows: ReadonlyArray<Row>, columns: number): ReadonlyArray<string> => {
  const longest = Math.max(...rows.map(([name]) => displayWidth(name)))
  const left = INDENT.length + Math.min(MAX_NAME_COLUMNS, longest) + 2
  return rows.flatMap(([name, text]) => {
    const head = INDENT + name
    const lines = wrap(text, columns - left)
    const isShort = displayWidth(head) + 2 <= left
    const below = (isShort ? lines.slice(1) : lines).map((line) => " ".repeat(left) + line)
    return [isShort ? padEnd(head, left) + lines[0] : head, ...below]
  })
}

const paragraph = (text: string, columns: number, prefix = INDENT): ReadonlyArray<string> =>
  wrap(text, columns - prefix.length).map((line) => prefix + line)

/** A command line in lines that a shell takes as one; what is in quotes stays together. */
const folded = (commandLine: string, columns: number): ReadonlyArray<string> => {
  if (INDENT.length + commandLine.length <= columns) return [INDENT + commandLine]
  const [first, ...words] = commandLine.match(/(?:'[^']*'|[^\s'])+/g) ?? []
  const lines = filled(`${INDENT}${first}`, words, columns - 2, INDENT + INDENT)
  return lines.map((line, i) => (i + 1 < lines.length ? `${line} \\` : line))
}

export const rowOfArgument = (
  { description, name, required, type, variadic }: ArgDoc,
  { faint, good }: Palette
): Row => [
  `${good(variadic ? `${name}...` : name)} ${faint(type)}`,
  `${Option.getOrElse(description, () => "")}${required ? "" : " (optional)"}`
]

export const rowOfFlag = ({ aliases, description, name, type }: FlagDoc, { faint, good }: Palette): Row => [
  [`--${name}`, ...aliases].map(good).join(", ") + (type === "boolean" ? "" : ` ${faint(type)}`),
  Option.getOrElse(description, () => "")
]

export const helpLines = (
  { args = [], description, examples = [], flags, globalFlags = [], subcommands = [], usage }: HelpDoc,
  { columns, palette }: Canvas
): ReadonlyArray<string> => {
  const { accent, faint, strong } = palette
  const ofFlags = (docs: ReadonlyArray<FlagDoc>): ReadonlyArray<Row> => docs.map((doc) => rowOfFlag(doc, palette))
  const ofArguments = args.map((doc) => rowOfArgument(doc, palette))
  const ofCommands = subcommands.flatMap((group) =>
    group.commands.map((one): Row => [accent(one.name), one.description])
  )
  const sections: ReadonlyArray<readonly [title: string, lines: ReadonlyArray<string>]> = [
    ["DESCRIPTION", paragraph(description, columns)],
    ["USAGE", paragraph(usage, columns).map(accent)],
    ["ARGUMENTS", table(ofArguments, columns)],
    ["FLAGS", table(ofFlags(flags), columns)],
    ["GLOBAL FLAGS", table(ofFlags(globalFlags), columns)],
    ["SUBCOMMANDS", table(ofCommands, columns)],
    [
      "EXAMPLES",
      examples.flatMap(({ command, description = "" }, i) => [
        ...(i === 0 ? [] : [""]),
        ...paragraph(description, columns, `${INDENT}# `).map(faint),
        ...folded(command, columns).map(accent)
      ])
    ]
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .flatMap(([title, lines], i) => [...(i === 0 ? [] : [""]), strong(title), ...lines])
}
