/** What shells complete: the commands as effect/cli writes its scripts from, with files where a value is one. */
import type { ArgumentType, CommandDescriptor, FlagDescriptor, FlagType } from "effect/cli/Completions"
import * as Completions from "effect/cli/Completions"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Flag, descriptionOf } from "../options.ts"
import type { Command } from "./command.ts"
import { within } from "./plain.ts"

const typeOf = ({ is, metavar = "", words }: Flag<unknown>): FlagType & ArgumentType => {
  if (words !== undefined) return { _tag: "Choice", values: words }
  if (metavar.startsWith("FILE")) return { _tag: "Path", pathType: "file" }
  if (metavar === "DIRECTORY") return { _tag: "Path", pathType: "directory" }
  return { _tag: is === "whole" ? "Int" : "String" }
}

/** Beside an argument of which it knows nothing, zsh lists a flag but does not complete it; an argument without choices is one it knows. */
const argumentTypeOf = (flag: Flag<unknown>): ArgumentType => {
  const type = typeOf(flag)
  return type._tag === "String" ? { _tag: "Choice", values: [] } : type
}

const flagOf = (flag: Flag<unknown>): FlagDescriptor => ({
  name: flag.name,
  aliases: flag.alias === undefined ? [] : [flag.alias],
  description: descriptionOf(flag),
  type: flag.is === "switch" ? { _tag: "Boolean" } : typeOf(flag),
  negation: flag.negatable === true ? undefined : false
})

const help: FlagDescriptor = {
  name: "help",
  aliases: ["h"],
  description: "Show help information",
  type: { _tag: "Boolean" },
  negation: false
}

const descriptorOf = ({ description, flags, name }: Command): CommandDescriptor => {
  const all = within(flags)
  return {
    name,
    description,
    flags: [...all.filter(({ is }) => is !== "argument").map(flagOf), help],
    arguments: all
      .filter(({ is }) => is === "argument")
      .map((flag) => ({
        name: flag.name,
        description: flag.description,
        required: flag.times === "one",
        variadic: flag.times === "many",
        type: argumentTypeOf(flag)
      })),
    subcommands: []
  }
}

/** Commands of two words stand behind the first of them. */
const nested = (commands: ReadonlyArray<Command>): ReadonlyArray<CommandDescriptor> =>
  commands
    .filter(({ name }) => !name.includes(" "))
    .map((command) => ({
      ...descriptorOf(command),
      subcommands: commands
        .filter(({ name }) => name.startsWith(`${command.name} `))
        .map((one) => ({ ...descriptorOf(one), name: one.name.slice(command.name.length + 1) }))
    }))

const root = (commands: ReadonlyArray<Command>): CommandDescriptor => ({
  name: "sourcewire",
  description: undefined,
  flags: [help],
  arguments: [],
  subcommands: [
    ...nested(commands),
    {
      name: "help",
      description: "Say what a command takes",
      flags: [],
      arguments: [
        {
          name: "command",
          description: "The command",
          required: false,
          variadic: false,
          type: { _tag: "Choice", values: nested(commands).map(({ name }) => name) }
        }
      ],
      subcommands: []
    }
  ]
})

/** `--completions`, which prints a script for a shell. */
export const completionsOf = (commands: ReadonlyArray<Command>): GlobalFlag.BuiltIn =>
  GlobalFlag.Action({
    flag: GlobalFlag.Completions.flag,
    run: Option.match({
      onNone: () => Effect.void,
      onSome: (shell) => Console.log(Completions.generate("sourcewire", shell, root(commands)))
    })
  })
