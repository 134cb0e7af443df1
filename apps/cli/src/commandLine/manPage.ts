/** Formats the help of the program and of each command as manual pages for `man`. The build of the program writes these pages to files. */
import { ExitCode } from "../exitCode.ts"
import { type Palette, plain } from "../output/text.ts"
import { type HelpPage, type Row, argumentRow, flagRow } from "./help.ts"

/** Escapes a text for roff. In the formatted page, a `-` remains an ASCII hyphen, so that users can copy flags into a shell. */
const escaped = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&")

const bold = (text: string): string => `\\fB${escaped(text)}\\fR`
const italic = (text: string): string => `\\fI${escaped(text)}\\fR`

const fonts: Palette = { ...plain, good: bold, faint: italic }

const tagged = ([name, text]: Row): ReadonlyArray<string> => [".TP", name, escaped(text)]

const EXIT_STATUS: Readonly<Record<ExitCode, string>> = {
  [ExitCode.Success]: "Every target responded, or a daemon was stopped by SIGTERM.",
  [ExitCode.Failure]: "A target failed, or the program could not do its work.",
  [ExitCode.Usage]: "The command line is invalid. Nothing was sent.",
  [ExitCode.Refused]: "The server refused: the RCON password is wrong, or the address is banned.",
  [ExitCode.Starting]: "With health --start-grace: the server has not replied yet and may still be starting.",
  [ExitCode.Interrupted]: "Interrupted by Ctrl-C."
}

export const pageName = (command?: string): string =>
  command === undefined ? "sourcewire" : `sourcewire-${command.replace(" ", "-")}`

export const manPage = (page: HelpPage, version: string): string => {
  const { args, command, description, examples, flags, groups, notes, usage } = page
  const name = pageName(command)
  const sections: ReadonlyArray<readonly [title: string, lines: ReadonlyArray<string>]> = [
    ["NAME", [`${escaped(name)} \\- ${escaped(description)}`]],
    ["SYNOPSIS", [escaped(usage)]],
    ...groups.map(
      ([title, rows]) =>
        [
          `${title.toUpperCase()} COMMANDS`,
          rows.flatMap(([one, text]) => tagged([`${bold(pageName(one))}(1)`, text]))
        ] as const
    ),
    ["ARGUMENTS", args.flatMap((one) => tagged(argumentRow(one, fonts)))],
    ["OPTIONS", flags.flatMap((one) => tagged(flagRow(one, fonts)))],
    ["NOTES", notes.flatMap((note, i) => [...(i === 0 ? [] : [".PP"]), escaped(note)])],
    [
      "EXAMPLES",
      examples.flatMap(([command, description]) => [
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
    ["EXIT STATUS", Object.entries(EXIT_STATUS).flatMap(([code, text]) => tagged([bold(code), text]))],
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
