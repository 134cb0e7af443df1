/** Manual pages: what help says of a command, as `man` reads it. They are written when the program is built. */
import type { FlagDoc, HelpDoc } from "effect/cli/HelpDoc"
import { ExitCode } from "../exitCode.ts"
import { type Palette, plain } from "../output/text.ts"
import { type Row, rowOfArgument, rowOfFlag } from "./help.ts"

/** A text without what roff acts on; `-` stays what a shell takes. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&")

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`
const italic = (text: string): string => `\\fI${escaped(text)}\\fR`

const fonts: Palette = { ...plain, good: bold, faint: italic }

const tagged = ([name, text]: Row): ReadonlyArray<string> => [".TP", name, escaped(text)]

const EXIT_STATUS: ReadonlyArray<readonly [ExitCode, string]> = [
  [ExitCode.Success, "Every target answered."],
  [ExitCode.Failure, "Some target did not, or the program could not do its work."],
  [ExitCode.Usage, "The command line makes no sense."],
  [ExitCode.Refused, "The server refused: the RCON password is wrong, or the address banned."],
  [ExitCode.Interrupted, "Ctrl-C."]
]

export const pageName = (command?: string): string =>
  command === undefined ? "sourcewire" : `sourcewire-${command.replace(" ", "-")}`

export const manPage = (
  { args = [], description, examples = [], flags, globalFlags = [], subcommands = [], usage }: HelpDoc,
  { command, version }: { readonly command?: string; readonly version: string }
): string => {
  const name = pageName(command)
  const ofFlag = (doc: FlagDoc) => tagged(rowOfFlag(doc, fonts))
  const commands = subcommands.flatMap((group) => group.commands)
  const sections: ReadonlyArray<readonly [title: string, lines: ReadonlyArray<string>]> = [
    ["NAME", [`${escaped(name)} \\- ${escaped(description)}`]],
    ["SYNOPSIS", [escaped(usage)]],
    ["ARGUMENTS", args.flatMap((doc) => tagged(rowOfArgument(doc, fonts)))],
    ["OPTIONS", [...flags, ...globalFlags].flatMap(ofFlag)],
    ["COMMANDS", commands.flatMap((one) => tagged([`${bold(pageName(one.name))}(1)`, one.description]))],
    [
      "EXAMPLES",
      examples.flatMap(({ command, description = "" }) => [
        ".PP",
        `${escaped(description)}:`,
        ".PP",
        ".RS 4",
        ".nf",
        escaped(command),
        ".fi",
        ".RE"
      ])
    ],
    ["EXIT STATUS", EXIT_STATUS.flatMap(([code, text]) => tagged([bold(String(code)), text]))],
    ["SEE ALSO", command === undefined ? [] : [`${bold(pageName())}(1)`]]
  ]
  return [
    `.TH ${escaped(name.toUpperCase())} 1 "" "sourcewire ${version}"`,
    ...sections
      .filter(([, lines]) => lines.length > 0)
      .flatMap(([title, lines]) => [`.SH ${title}`, ...(lines[0] === ".PP" ? lines.slice(1) : lines)]),
    ""
  ].join("\n")
}
