/** The command line as a whole: which command it is about, what that runs by, and the exit code. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type { Command, Run } from "./commandLine/command.ts"
import { readPlain, withAlone } from "./commandLine/plain.ts"
import { ExitCode, ProgramError, Reported, UsageError } from "./exitCode.ts"
import { Output, complaint, ofProcess } from "./output/output.ts"

/** The commands; each loads what declares its name, flags, help and examples, which loads what does the work when it runs. */
export const load = {
  query: async () => (await import("./query/commands.ts")).query,
  info: async () => (await import("./query/commands.ts")).info,
  players: async () => (await import("./query/commands.ts")).players,
  rules: async () => (await import("./query/commands.ts")).rules,
  scan: async () => (await import("./scan/command.ts")).scan,
  ping: async () => (await import("./ping/command.ts")).ping,
  handshake: async () => (await import("./handshake/command.ts")).handshake,
  rcon: async () => (await import("./rcon/command.ts")).rcon,
  games: async () => (await import("./games/command.ts")).games,
  master: async () => (await import("./master/command.ts")).master,
  log: async () => (await import("./log/command.ts")).log,
  decode: async () => (await import("./decode/command.ts")).decode,
  serve: async () => (await import("./serve/command.ts")).serve,
  proxy: async () => (await import("./proxy/command.ts")).proxy,
  monitor: async () => (await import("./monitor/command.ts")).monitor,
  "monitor status": async () => (await import("./monitor/command.ts")).status,
  "monitor migrate": async () => (await import("./monitor/command.ts")).migrate,
  exporter: async () => (await import("./monitor/command.ts")).exporter,
  playground: async () => (await import("./playground/command.ts")).playground,
  demo: async () => (await import("./demo/command.ts")).demo
}

/** The names of the commands, in the order in which help lists them. */
export const names = Object.keys(load) as ReadonlyArray<keyof typeof load>

/** The commands that a command line may be about: the one that it begins with, or all. */
const commandsFor = (args: ReadonlyArray<string>): Promise<ReadonlyArray<Command>> => {
  // Completions are those of the program, whatever stands before.
  const isOfAll = args.some((arg) => arg.startsWith("--completions"))
  const named = isOfAll ? [] : names.filter((name) => name === args[0])
  return Promise.all((named.length === 0 ? names : named).map((name) => load[name]()))
}

const runOf =
  ({ load }: Command): Run<unknown> =>
  (settings) =>
    Effect.flatMap(Effect.promise(load), (run) => run(settings))

/** The command line with the name of its command in one, where that has two words. */
const inOne = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const name = `${args[0]} ${args[1]}`
  return names.some((known) => known === name) ? [name, ...args.slice(2)] : args
}

/** `help COMMAND` as `COMMAND --help`; of what is no command it leaves the name, for full.ts to say so. */
const withoutHelp = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first, ...about] = args
  if (first !== "help") return inOne(args)
  const [name = "--help"] = inOne(about)
  if (name === first || name.startsWith("-")) return ["--help"]
  return names.some((known) => known === name) ? [name, "--help"] : [name]
}

const commandLine = async (
  given: ReadonlyArray<string>,
  version: string
): Promise<Effect.Effect<void, unknown, Output>> => {
  const asked = withoutHelp(given)
  const commands = await commandsFor(asked)
  const [command] = commands
  const args = commands.length === 1 ? withAlone(command!.flags, asked) : asked
  const settings = commands.length === 1 ? readPlain(command!.flags, args.slice(1)) : undefined
  if (settings !== undefined) return runOf(command!)(settings)
  return (await import("./commandLine/full.ts")).runFull(commands, runOf, args, version)
}

const complain = (message: string) => Effect.flatMap(Output, ({ err }) => err.line(complaint(err, message)))

const exitCodeOf = (exit: Exit.Exit<void, unknown>): Effect.Effect<ExitCode, never, Output> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(ExitCode.Success)
  if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed(ExitCode.Interrupted)
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  if (error instanceof Reported) return Effect.succeed(error.exitCode)
  if (error instanceof UsageError) return Effect.as(complain(error.message), ExitCode.Usage)
  if (error instanceof ProgramError) return Effect.as(complain(error.message), ExitCode.Failure)
  return Effect.as(complain(`unexpected failure. ${Cause.pretty(exit.cause)}`), ExitCode.Failure)
}

const program = (args: ReadonlyArray<string>, version: string): Effect.Effect<ExitCode> =>
  Effect.promise(() => commandLine(args, version)).pipe(
    Effect.flatten,
    Effect.exit,
    Effect.flatMap(exitCodeOf),
    Effect.provideService(Output, ofProcess())
  )

/** A command line under way. */
export interface Running {
  /** Never rejects. */
  readonly exitCode: Promise<ExitCode>
  /** Stops the command, which prints what it knows so far. */
  readonly interrupt: () => void
}

export const start = (args: ReadonlyArray<string>, version: string): Running => {
  const fiber = Effect.runFork(program(args, version))
  const exitCode = new Promise<ExitCode>((resolve) => {
    fiber.addObserver((exit) => resolve(Exit.isSuccess(exit) ? exit.value : ExitCode.Failure))
  })
  return { exitCode, interrupt: () => fiber.interruptUnsafe() }
}
