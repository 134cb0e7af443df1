/** What shells complete: what effect/cli knows of the commands, with files where a value is one, and commands of two words. */
import type { CommandDescriptor, FlagDescriptor } from "effect/cli/Completions"
import type * as CliCommand from "effect/cli/Command"
import * as Completions from "effect/cli/Completions"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Command, Commands } from "./command.ts"

const help: FlagDescriptor = {
  name: "help",
  aliases: ["h"],
  description: "Show help information",
  type: { _tag: "Boolean" },
  negation: false
}

const pathType = (metavar = ""): "file" | "directory" | undefined =>
  metavar.startsWith("FILE") ? "file" : metavar === "DIRECTORY" ? "directory" : undefined

const withPaths = (known: CommandDescriptor, { flags }: Command): CommandDescriptor => {
  const metavars = new Map(
    Object.values(flags).map(({ is, metavar, name }) => [is === "argument" ? "" : name, metavar])
  )
  return {
    ...known,
    flags: [
      ...known.flags.map((flag): FlagDescriptor => {
        const path = pathType(metavars.get(flag.name))
        return path === undefined ? flag : { ...flag, type: { _tag: "Path", pathType: path } }
      }),
      help
    ],
    // Beside an argument of which it knows nothing, zsh lists a flag but does not complete it; one without choices is one it knows.
    arguments: known.arguments.map((one) => ({ ...one, required: !one.variadic, type: { _tag: "Choice", values: [] } }))
  }
}

const programOf = (root: CliCommand.Command.Any, commands: Commands): CommandDescriptor => {
  const program = Completions.fromCommand(root)
  const all = program.subcommands.map((known) => withPaths(known, commands[known.name]!))
  // Commands of two words stand behind the first of them.
  const nested = all
    .filter(({ name }) => !name.includes(" "))
    .map((one) => ({
      ...one,
      subcommands: all
        .filter(({ name }) => name.startsWith(`${one.name} `))
        .map((other) => ({ ...other, name: other.name.slice(one.name.length + 1) }))
    }))
  const about: CommandDescriptor = {
    name: "help",
    description: "Say what a command takes",
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
  return { ...program, description: undefined, flags: [help], subcommands: [...nested, about] }
}

/** `--completions`, which prints a script for a shell. */
export const completionsOf = (root: CliCommand.Command.Any, commands: Commands): GlobalFlag.BuiltIn =>
  GlobalFlag.Action({
    flag: GlobalFlag.Completions.flag,
    run: Option.match({
      onNone: () => Effect.void,
      onSome: (shell) => Console.log(Completions.generate("sourcewire", shell, programOf(root, commands)))
    })
  })
