/** Builds the help of the program and of each command from the declarations of the commands, and formats the help for the terminal. */
import { type Flag, type Flags, formatDescription } from "../options.ts"
import type { Canvas } from "../output/output.ts"
import { fillLines } from "../output/sentences.ts"
import { type Palette, displayWidth, padEnd, wrap } from "../output/text.ts"
import { type Commands, GROUPS } from "./command.ts"
import { globalFlags } from "./globalFlags.ts"

const INDENT = "  "

// Maximum width, in columns, for the name of a command or flag. After a longer name, the description begins on the next line.
const MAX_NAME_COLUMNS = 24

export type Row = readonly [name: string, text: string]

export interface HelpPage {
  /** The name of the command, or `undefined` if the page is the help of the whole program. */
  readonly command: string | undefined
  readonly description: string
  readonly usage: string
  readonly args: ReadonlyArray<Flag<unknown>>
  readonly flags: ReadonlyArray<Flag<unknown>>
  /** The groups of commands, each with its commands. Empty on the page of a single command. */
  readonly groups: ReadonlyArray<readonly [title: string, commands: ReadonlyArray<Row>]>
  readonly examples: ReadonlyArray<readonly [command: string, description: string]>
  readonly notes: ReadonlyArray<string>
}

const isArgument = ({ is }: Flag<unknown>): boolean => is === "argument"

const argumentText = ({ name, times }: Flag<unknown>): string =>
  times === "one" ? name.toUpperCase() : `[${name.toUpperCase()}${times === "many" ? "..." : ""}]`

const DURATION_NOTE = "Durations accept a unit: 500ms, 5s, 1m."

const notesOn = (flags: Flags): ReadonlyArray<string> =>
  Object.values(flags).some(({ is }) => is === "duration") ? [DURATION_NOTE] : []

export const commandPage = (commands: Commands, name: string): HelpPage => {
  const { description, examples, flags } = commands[name]!
  const all = Object.values(flags)
  const args = all.filter(isArgument)
  return {
    command: name,
    description,
    usage: ["sourcewire", name, "[FLAGS]", ...args.map(argumentText)].join(" "),
    args,
    flags: all.filter((flag) => !isArgument(flag)),
    groups: [],
    examples: Object.entries(examples),
    notes: [...notesOn(flags), "Global flags (--help, --quiet, --color): see `sourcewire help`."]
  }
}

/** The help of the program: the commands of each group, and the global flags. */
export const programPage = (commands: Commands): HelpPage => ({
  command: undefined,
  description: "Query, monitor and emulate game servers that use Valve's query protocols",
  usage: "sourcewire COMMAND [FLAGS] [ARGUMENTS]",
  args: [],
  flags: Object.values(globalFlags),
  groups: GROUPS.map((group) => [
    group,
    Object.entries(commands)
      .filter(([, one]) => one.group === group)
      .map(([name, { description }]): Row => [name, description])
  ]),
  examples: [
    ["sourcewire demo", "Start an emulated server on this host and query it"],
    ["sourcewire query 127.0.0.1:27015", "Query a server for everything"],
    ["sourcewire scan --file servers.txt", "Query a list of servers"],
    ["sourcewire decode ffffffff414ba1d522", "Decode a datagram"],
    ["sourcewire help query", "Show the flags of a command"]
  ],
  notes: []
})

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

/** Splits a command line that does not fit into `columns`. Each line except the last ends with a backslash. Quoted parts are not split. */
const folded = (commandLine: string, columns: number): ReadonlyArray<string> => {
  if (INDENT.length + commandLine.length <= columns) return [INDENT + commandLine]
  const [first, ...words] = commandLine.match(/(?:'[^']*'|[^\s'])+/g) ?? []
  const lines = fillLines(`${INDENT}${first}`, words, columns - 2, INDENT + INDENT)
  return lines.map((line, i) => (i + 1 < lines.length ? `${line} \\` : line))
}

export const argumentRow = (flag: Flag<unknown>, { good }: Palette): Row => [
  good(flag.times === "many" ? `${flag.name.toUpperCase()}...` : flag.name.toUpperCase()),
  formatDescription(flag)
]

const placeholder = ({ is, metavar, name }: Flag<unknown>): string =>
  metavar ?? (is === "whole" ? "N" : name.toUpperCase())

export const flagRow = (flag: Flag<unknown>, { faint, good }: Palette): Row => {
  const { alias, alone, is, name, negated, otherwise } = flag
  const short = alias === undefined ? "" : `${good(`-${alias}`)}, `
  const long = good(negated !== undefined && otherwise === true ? `--no-${name}` : `--${name}`)
  const value = is === "switch" ? "" : faint(alone === undefined ? ` ${placeholder(flag)}` : `[=${placeholder(flag)}]`)
  return [short + long + value, formatDescription(flag)]
}

export const helpLines = (page: HelpPage, { columns, palette }: Canvas): ReadonlyArray<string> => {
  const { args, command, description, examples, flags, groups, notes, usage } = page
  const { accent, faint, strong } = palette
  const sections: ReadonlyArray<readonly [title: string, lines: ReadonlyArray<string>]> = [
    ["USAGE", paragraph(usage, columns).map(accent)],
    ...groups.map(
      ([title, rows]) =>
        [
          title.toUpperCase(),
          table(
            rows.map(([name, text]): Row => [accent(name), text]),
            columns
          )
        ] as const
    ),
    [
      "ARGUMENTS",
      table(
        args.map((one) => argumentRow(one, palette)),
        columns
      )
    ],
    [
      command === undefined ? "GLOBAL FLAGS" : "FLAGS",
      table(
        flags.map((one) => flagRow(one, palette)),
        columns
      )
    ],
    [
      "EXAMPLES",
      examples.flatMap(([command, description], i) => [
        ...(i === 0 ? [] : [""]),
        ...paragraph(description, columns, `${INDENT}# `).map(faint),
        ...folded(command, columns).map(accent)
      ])
    ]
  ]
  return [
    ...wrap(description, columns),
    ...sections.filter(([, lines]) => lines.length > 0).flatMap(([title, lines]) => ["", strong(title), ...lines]),
    ...(notes.length === 0 ? [] : ["", ...notes.flatMap((note) => wrap(note, columns)).map(faint)])
  ]
}
