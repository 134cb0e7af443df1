/** Formats the help of all commands as Markdown for the reference page about the command line. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type HelpPage, type Row, commandPage, programPage, argumentRow, flagRow } from "../../src/commandLine/help.ts"
import { plain } from "../../src/output/text.ts"
import { loadAll, names } from "../../src/program.ts"

export const REFERENCE = fileURLToPath(new URL("../../../../docs/reference/command-line.md", import.meta.url))

const BEGIN = "<!-- commands: pnpm generate -->\n"
const END = "<!-- end of commands -->"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const formatTable = (title: string, rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.length === 0
    ? []
    : [
        [
          `| ${title} | meaning |`,
          "|---|---|",
          ...rows.map(([name, text]) => `| \`${cell(name)}\` | ${cell(text)} |`)
        ].join("\n")
      ]

const formatSection = ({ args, command, description, examples, flags, notes, usage }: HelpPage): string =>
  [
    `### ${command === undefined ? "Global flags" : `sourcewire ${command}`}`,
    ...(command === undefined ? [] : [`${description}.`, `\`${usage}\``]),
    ...formatTable(
      "argument",
      args.map((one) => argumentRow(one, plain))
    ),
    ...formatTable(
      "flag",
      flags.map((one) => flagRow(one, plain))
    ),
    ...(command === undefined ? [] : examples.map(([line, what]) => `${what}:\n\n\`\`\`sh\n${line}\n\`\`\``)),
    ...notes.filter((note) => !note.startsWith("Global flags"))
  ].join("\n\n")

/** Returns the text of the reference page, with the help of the current commands. */
export const referenceText = async (): Promise<string> => {
  const commands = await loadAll()
  const text = readFileSync(REFERENCE, "utf8")
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (from < 0 || to < from) throw new Error("The page has no place for the commands.")
  const pages = [...names.map((name) => commandPage(commands, name)), programPage(commands)]
  return `${text.slice(0, from)}${BEGIN}\n${pages.map(formatSection).join("\n\n")}\n\n${text.slice(to)}`
}
