/** Builds completion scripts for shells. The scripts complete commands, flags, choices and file names. */
import type { CommandDescriptor, FlagDescriptor } from "effect/cli/Completions"
import * as Completions from "effect/cli/Completions"
import type { Flag } from "../options.ts"
import type { Command, Commands } from "./command.ts"
import { globalFlags } from "./globalFlags.ts"

const valueType = ({ is, metavar = "", words }: Flag<unknown>): FlagDescriptor["type"] => {
  if (is === "switch") return { _tag: "Boolean" }
  if (words !== undefined) return { _tag: "Choice", values: words }
  if (metavar.startsWith("FILE")) return { _tag: "Path", pathType: "file" }
  if (metavar === "DIRECTORY") return { _tag: "Path", pathType: "directory" }
  return { _tag: is === "whole" ? "Int" : "String" }
}

const describeFlag = (flag: Flag<unknown>): FlagDescriptor => ({
  name: flag.name,
  aliases: flag.alias === undefined ? [] : [flag.alias],
  description: flag.description,
  type: valueType(flag),
  optionalValue: flag.alone !== undefined,
  negation: flag.negated === undefined ? false : `no-${flag.name}`
})

const describeCommand = (name: string, { description, flags }: Command): CommandDescriptor => {
  const all = Object.values(flags)
  return {
    name,
    description,
    flags: [...all.filter(({ is }) => is !== "argument"), globalFlags.help, globalFlags.quiet, globalFlags.color].map(
      describeFlag
    ),
    // If an argument has no type, zsh lists the flags after this argument but does not complete them. Therefore each argument has the type
    // `Choice`, with an empty list of values.
    arguments: all
      .filter(({ is }) => is === "argument")
      .map((one) => ({
        name: one.name,
        description: one.description,
        required: one.times === "one",
        variadic: one.times === "many",
        type: { _tag: "Choice", values: [] }
      })),
    subcommands: []
  }
}

const describeProgram = (commands: Commands): CommandDescriptor => {
  const all = Object.entries(commands).map(([name, one]) => describeCommand(name, one))
  // A command of two words, such as `monitor export`, is described as a subcommand of its first word.
  const nested = all
    .filter(({ name }) => !name.includes(" "))
    .map((one) => ({
      ...one,
      subcommands: all
        .filter(({ name }) => name.startsWith(`${one.name} `))
        .map((other) => ({ ...other, name: other.name.slice(one.name.length + 1) }))
    }))
  const help: CommandDescriptor = {
    name: "help",
    description: "Show help",
    flags: [],
    arguments: [
      {
        name: "command",
        description: "The command",
        required: false,
        variadic: false,
        type: { _tag: "Choice", values: nested.map(({ name }) => name) }
      }
    ],
    subcommands: []
  }
  return {
    name: "sourcewire",
    description: undefined,
    flags: Object.values(globalFlags).map(describeFlag),
    arguments: [],
    subcommands: [...nested, help]
  }
}

/** Builds the script with which a shell completes the command lines of Sourcewire. */
export const completionScript = (commands: Commands, shell: Completions.Shell): string =>
  Completions.generate("sourcewire", shell, describeProgram(commands))
