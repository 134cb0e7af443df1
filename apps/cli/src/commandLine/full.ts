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
import { Output, ofProcess } from "../output/output.ts"
import { complaint } from "../output/sentences.ts"
import type { Command, Commands } from "./command.ts"
import { completionsOf } from "./completions.ts"
import { helpLines } from "./help.ts"

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

const bounded = (flag: CliFlag.Flag<unknown>, { least, most, name }: Flag<unknown>): CliFlag.Flag<unknown> => {
  if (least === undefined) return flag
  const wanted = most === undefined ? `${least} or more` : `from ${least} to ${most}`
  return CliFlag.filter(
    flag,
    (value) => Number(value) >= least && Number(value) <= (most ?? Infinity),
    (value) => `--${name} must be ${wanted}, not ${value}`
  )
}

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
    Object.entries(flags).map(([key, one]): [string, Param.Any] => [
      key,
      one.is === "argument" ? argumentOf(one) : flagOf(one)
    ])
  )

/** What loads each command. */
type Loads = Readonly<Record<string, () => Promise<Command>>>

export const loaded = async (load: Loads, names = Object.keys(load)): Promise<Commands> =>
  Object.fromEntries(await Promise.all(names.map(async (name) => [name, await load[name]!()] as const)))

const commandOf = ([name, { description, examples, flags, load }]: readonly [string, Command]) =>
  CliCommand.make(name, configOf(flags), (settings) =>
    Effect.flatMap(Effect.promise(load), (run) => run(settings))
  ).pipe(
    CliCommand.withDescription(description),
    CliCommand.withExamples(Object.entries(examples).map(([command, description]) => ({ command, description })))
  )

const rootOf = (commands: Commands) =>
  CliCommand.make("sourcewire").pipe(
    CliCommand.withDescription("Ask, watch and emulate game servers that speak Valve's query protocols"),
    CliCommand.withExamples([
      { command: "sourcewire demo", description: "Start an emulated server on this computer and query it" },
      { command: "sourcewire query 127.0.0.1:27015", description: "Everything that a server says about itself" },
      { command: "sourcewire decode ffffffff414ba1d522", description: "Take a datagram apart" },
      { command: "sourcewire help query", description: "What a command takes, as `sourcewire query --help`" }
    ]),
    CliCommand.withSubcommands(Object.entries(commands).map(commandOf))
  )

/** Help goes to standard output, everything that is wrong to standard error. */
const presenter = Layer.effect(
  CliOutput.Presenter,
  Effect.map(Output, ({ err, out }): CliOutput.Presenter => ({
    present: (event) => {
      switch (event._tag) {
        case "Help":
          return out.line(...helpLines(event.helpDoc, out))
        case "Version":
          return out.line(`${event.name} v${event.version}`)
        case "InvalidInvocation":
          return err.line(
            ...event.errors.map((error) => complaint(err, error.message)),
            `Run \`${event.commandPath.join(" ")} --help\` for what it takes.`
          )
      }
    }
  }))
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

/** Runs effect/cli over a command line. */
const runCli = <R>(
  commands: Commands,
  args: ReadonlyArray<string>,
  version: string,
  presenter: Layer.Layer<never, never, R>
) => {
  const root = rootOf(commands)
  // No wizard and no log levels: the program writes no logs, and its help has examples.
  const builtIns = [GlobalFlag.Help, GlobalFlag.Version, completionsOf(root, commands)]
  return Effect.provide(
    CliCommand.runWith(root, { version })(args),
    Layer.mergeAll(unused, CliConfig.layer({ builtIns }), presenter)
  )
}

/** Runs the command that a command line names, or prints what it asks for. */
export const runFull = (
  commands: Commands,
  args: ReadonlyArray<string>,
  version: string
): Effect.Effect<void, unknown, Output> =>
  runCli(commands, args, version, presenter).pipe(
    Effect.catch((error): Effect.Effect<void, unknown> => {
      if (!CliError.isCliError(error)) return Effect.fail(error)
      const asksForHelp = error._tag === "ShowHelp" && error.errors.length === 0
      return asksForHelp ? Effect.void : Effect.fail(new Reported(ExitCode.Usage))
    })
  )

/** The command line with the values of flags that stand alone: `--watch` as `--watch 60`, where no number follows. */
export const withAlone = (flags: Flags, args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const values = new Map(Object.values(flags).map(({ alone, name }) => [`--${name}`, alone]))
  return args.flatMap((arg, i) => {
    const value = values.get(arg)
    return value === undefined || /^\d+$/.test(args[i + 1] ?? "") ? [arg] : [arg, String(value)]
  })
}

/** Runs a command line of the program, of whose commands it loads the one that stands in front, or else all. */
export const runAny = async (
  load: Loads,
  commandIn: (args: ReadonlyArray<string>) => {
    readonly name: string | undefined
    readonly rest: ReadonlyArray<string>
  },
  args: ReadonlyArray<string>,
  version: string
): Promise<Effect.Effect<void, unknown, Output>> => {
  // `help COMMAND` is `COMMAND --help`; of what is no command, effect/cli says so.
  const isHelp = args[0] === "help"
  const { name, rest } = commandIn(isHelp ? args.slice(1) : args)
  // Completions are those of the program, whatever stands before.
  if (name !== undefined && !args.some((arg) => arg.startsWith("--completions"))) {
    const commands = await loaded(load, [name])
    return runFull(commands, [name, ...(isHelp ? ["--help"] : withAlone(commands[name]!.flags, rest))], version)
  }
  const about = isHelp && /^(?:-|help$)/.test(rest[0] ?? "-") ? ["--help"] : rest.slice(0, isHelp ? 1 : undefined)
  return runFull(await loaded(load), about, version)
}

export const helpDoc = (commands: Commands, command?: string): Effect.Effect<HelpDoc> =>
  Effect.suspend(() => {
    let doc: HelpDoc | undefined
    const taking = Layer.succeed(CliOutput.Presenter, {
      present: (event) => Effect.sync(() => void (event._tag === "Help" && (doc = event.helpDoc)))
    })
    const args = [...(command === undefined ? [] : [command]), "--help"]
    return runCli(commands, args, "", taking).pipe(
      Effect.ignore,
      Effect.flatMap(() => (doc === undefined ? Effect.die(new Error(`No help for ${command}`)) : Effect.succeed(doc))),
      // For commands, none of which runs.
      Effect.provideService(Output, ofProcess())
    )
  })
