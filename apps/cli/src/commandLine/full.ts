/** Reads any command line, with effect/cli: says what is wrong with it, suggests what may be meant, prints help and completions. */
import * as Argument from "effect/cli/Argument"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as CliCommand from "effect/cli/Command"
import * as CliFlag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import type { HelpDoc } from "effect/cli/HelpDoc"
import type * as Param from "effect/cli/Param"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import { ExitCode, Reported } from "../exitCode.ts"
import { type Flag, type Flags, descriptionOf } from "../options.ts"
import { plain } from "../output/text.ts"
import { Output, ofProcess } from "../output/output.ts"
import { complaint } from "../output/sentences.ts"
import type { Command, Run } from "./command.ts"
import { completionsOf } from "./completions.ts"
import { helpLines } from "./help.ts"
import { isFlag, within } from "./plain.ts"

const baseOf = ({ is, negatable, name, words }: Flag<unknown>): CliFlag.Flag<unknown> => {
  switch (is) {
    case "switch":
      return negatable === true ? CliFlag.Boolean(name) : CliFlag.withoutNegation(CliFlag.Boolean(name))
    case "whole":
      return CliFlag.Int(name)
    case "secret":
      return CliFlag.Redacted(name)
    default:
      return words === undefined ? CliFlag.String(name) : CliFlag.Literals(name, words)
  }
}

const bounded = (flag: CliFlag.Flag<unknown>, { least, most, name }: Flag<unknown>): CliFlag.Flag<unknown> =>
  least === undefined && most === undefined
    ? flag
    : CliFlag.filter(
        flag,
        (value) => Number(value) >= (least ?? -Infinity) && Number(value) <= (most ?? Infinity),
        (value) =>
          `--${name} must be ${most === undefined ? `${least} or more` : `from ${least} to ${most}`}, not ${value}`
      )

const flagOf = (flag: Flag<unknown>): CliFlag.Flag<unknown> => {
  const { alias, metavar, otherwise, times } = flag
  const one = bounded(baseOf(flag), flag).pipe(
    CliFlag.withDescription(descriptionOf(flag)),
    (self) => (metavar === undefined ? self : CliFlag.withMetavar(self, metavar)),
    (self) => (alias === undefined ? self : CliFlag.withAlias(self, alias))
  )
  if (times === "maybe") return CliFlag.map(CliFlag.optional(one), Option.getOrUndefined)
  if (times === "many") return CliFlag.atLeast(one, 0)
  return otherwise === undefined ? one : CliFlag.withDefault(one, otherwise)
}

const argumentOf = ({ description, name, times }: Flag<unknown>): Argument.Argument<unknown> => {
  const one = Argument.withDescription(Argument.String(name), description)
  return times === "many" ? Argument.variadic(one) : one
}

const configOf = (flags: Flags): CliCommand.Command.Config =>
  Object.fromEntries(
    Object.entries(flags).map(([name, one]): [string, Param.Any | CliCommand.Command.Config] => [
      name,
      !isFlag(one) ? configOf(one) : one.is === "argument" ? argumentOf(one) : flagOf(one)
    ])
  )

const commandOf = ({ description, examples, flags, name }: Command, run: Run<unknown>) =>
  CliCommand.make(name, configOf(flags), run).pipe(
    CliCommand.withDescription(description),
    CliCommand.withExamples(Object.entries(examples).map(([command, description]) => ({ command, description })))
  )

const rootOf = (commands: ReadonlyArray<Command>, runOf: (command: Command) => Run<unknown>) =>
  CliCommand.make("sourcewire").pipe(
    CliCommand.withDescription("Ask, watch and emulate game servers that speak Valve's query protocols"),
    CliCommand.withExamples([
      { command: "sourcewire demo", description: "Start an emulated server on this computer and query it" },
      { command: "sourcewire query 127.0.0.1:27015", description: "Everything that a server says about itself" },
      { command: "sourcewire decode ffffffff414ba1d522", description: "Take a datagram apart" },
      { command: "sourcewire help query", description: "What a command takes, as `sourcewire query --help`" }
    ]),
    CliCommand.withSubcommands(commands.map((command) => commandOf(command, runOf(command))))
  )

/** Help goes to standard output, everything that is wrong to standard error. */
const presenter = Layer.effect(
  CliOutput.Presenter,
  Effect.map(Output, ({ err, out }): CliOutput.Presenter => {
    const onOut = CliOutput.defaultFormatter({ colors: out.palette !== plain })
    return {
      present: (event) => {
        switch (event._tag) {
          case "Help":
            return out.line(...helpLines(event.helpDoc, out))
          case "Version":
            return out.line(onOut.formatVersion(event.name, event.version))
          case "InvalidInvocation":
            return err.line(
              ...event.errors.map((error) => complaint(err, error.message)),
              `Run \`${event.commandPath.join(" ")} --help\` for what it takes.`
            )
        }
      }
    }
  })
)

// What the parser wants for wizards, prompts and flags of files, which no command has. Node's own would load its modules for processes,
// cryptography and workers.
const unused = Layer.mergeAll(
  FileSystem.layerNoop({}),
  Path.layer,
  Stdio.layerTest({}),
  Layer.mock(Terminal.Terminal, { "~effect/Terminal": "~effect/Terminal" }),
  Layer.mock(ChildProcessSpawner, {})
)

const environment = <R>(commands: ReadonlyArray<Command>, presenter: Layer.Layer<never, never, R>) =>
  Layer.mergeAll(
    unused,
    // No wizard and no log levels: the program writes no logs, and its help has examples.
    CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, completionsOf(commands)] }),
    presenter
  )

/** Runs the command that a command line names, or prints what it asks for. */
export const runFull = (
  commands: ReadonlyArray<Command>,
  runOf: (command: Command) => Run<unknown>,
  args: ReadonlyArray<string>,
  version: string
): Effect.Effect<void, unknown, Output> =>
  CliCommand.runWith(rootOf(commands, runOf), { version })(args).pipe(
    Effect.catch((error): Effect.Effect<void, unknown> => {
      if (!CliError.isCliError(error)) return Effect.fail(error)
      const asksForHelp = error._tag === "ShowHelp" && error.errors.length === 0
      return asksForHelp ? Effect.void : Effect.fail(new Reported(ExitCode.Usage))
    }),
    Effect.provide(environment(commands, presenter))
  )

/** The command line with the name of its command in one, where that has two words. */
const inOne = (args: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const name = `${args[0]} ${args[1]}`
  return names.includes(name) ? [name, ...args.slice(2)] : args
}

/** `help COMMAND` as `COMMAND --help`; of what is no command it leaves the name, of which effect/cli says so. */
const withoutHelp = (args: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...about] = args
  if (first !== "help") return inOne(args, names)
  const [name = "--help"] = inOne(about, names)
  if (name === first || name.startsWith("-")) return ["--help"]
  return names.includes(name) ? [name, "--help"] : [name]
}

/** The command line with the values of flags that stand alone: `--watch` as `--watch 60`, where no number follows. */
export const withAlone = (flags: Flags, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const values = new Map(within(flags).map(({ alone, name }) => [`--${name}`, alone]))
  return args.flatMap((arg, i) => {
    const value = values.get(arg)
    return value === undefined || /^\d+$/.test(args[i + 1] ?? "") ? [arg] : [arg, String(value)]
  })
}

/** Runs a command line of the program, of whose commands it loads the one that stands in front, or else all. */
export const runAny = async (
  load: Readonly<Record<string, () => Promise<Command>>>,
  given: ReadonlyArray<string>,
  version: string
): Promise<Effect.Effect<void, unknown, Output>> => {
  const names = Object.keys(load)
  const args = withoutHelp(given, names)
  // Completions are those of the program, whatever stands before.
  const isOfAll = args.some((arg) => arg.startsWith("--completions"))
  const named = isOfAll ? [] : names.filter((name) => name === args[0])
  const commands = await Promise.all((named.length === 0 ? names : named).map((name) => load[name]!()))
  const runOf = (command: Command): Run<unknown> => {
    return (settings) => Effect.flatMap(Effect.promise(command.load), (run) => run(settings))
  }
  return runFull(commands, runOf, named.length === 0 ? args : withAlone(commands[0]!.flags, args), version)
}

/** What help says of a command, or of the program as a whole. */
export const helpDoc = (commands: ReadonlyArray<Command>, command?: string): Effect.Effect<HelpDoc> =>
  Effect.suspend(() => {
    let doc: HelpDoc | undefined
    const taking = Layer.succeed(CliOutput.Presenter, {
      present: (event) => Effect.sync(() => void (event._tag === "Help" && (doc = event.helpDoc)))
    })
    const args = [...(command === undefined ? [] : [command]), "--help"]
    return CliCommand.runWith(
      rootOf(commands, () => () => Effect.void),
      { version: "" }
    )(args).pipe(
      Effect.ignore,
      Effect.flatMap(() => (doc === undefined ? Effect.die(new Error(`No help for ${command}`)) : Effect.succeed(doc))),
      Effect.provide(environment(commands, taking)),
      // For commands, none of which runs.
      Effect.provideService(Output, ofProcess())
    )
  })
