/** Runs a command line: finds the command, parses its settings, and returns the exit code. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import type { Command, Commands } from "./commandLine/command.ts"
import { globalFlags } from "./commandLine/globalFlags.ts"
import { operandsIn, parse } from "./commandLine/parse.ts"
import { didYouMean, nearest } from "./commandLine/suggest.ts"
import { ExitCode, UsageError, reportExit } from "./exitCode.ts"
import type { Settings } from "./options.ts"
import { Output, ofProcess, styleIn } from "./output/output.ts"

/**
 * The commands. Each function loads only the declaration of a command: its flags, help and examples. The code that runs the command is not
 * loaded until the command runs.
 */
export const load = {
  query: async () => (await import("./query/commands.ts")).query,
  info: async () => (await import("./query/commands.ts")).info,
  players: async () => (await import("./query/commands.ts")).players,
  rules: async () => (await import("./query/commands.ts")).rules,
  scan: async () => (await import("./scan/command.ts")).scan,
  ping: async () => (await import("./ping/command.ts")).ping,
  handshake: async () => (await import("./handshake/command.ts")).handshake,
  rcon: async () => (await import("./rcon/command.ts")).rcon,
  health: async () => (await import("./health/command.ts")).health,
  games: async () => (await import("./games/command.ts")).games,
  master: async () => (await import("./master/command.ts")).master,
  "servers-at": async () => (await import("./steam/command.ts")).serversAt,
  log: async () => (await import("./log/command.ts")).log,
  decode: async () => (await import("./decode/command.ts")).decode,
  serve: async () => (await import("./serve/command.ts")).serve,
  proxy: async () => (await import("./proxy/command.ts")).proxy,
  monitor: async () => (await import("./monitor/command.ts")).monitor,
  "monitor status": async () => (await import("./monitor/command.ts")).status,
  "monitor report": async () => (await import("./monitor/command.ts")).report,
  "monitor export": async () => (await import("./monitor/command.ts")).exportHistory,
  "monitor migrate": async () => (await import("./monitor/command.ts")).migrate,
  exporter: async () => (await import("./monitor/command.ts")).exporter,
  playground: async () => (await import("./playground/command.ts")).playground,
  demo: async () => (await import("./demo/command.ts")).demo
}

export type CommandName = keyof typeof load

/** The names of the commands, in the order in which help lists them. */
export const names = Object.keys(load) as ReadonlyArray<CommandName>

const isName = (name: string): name is CommandName => Object.hasOwn(load, name)

export const loadAll = async (some: ReadonlyArray<string> = names): Promise<Commands> =>
  Object.fromEntries(await Promise.all(some.filter(isName).map(async (name) => [name, await load[name]()] as const)))

/** The parts of a command line. If `words` name no command, `name` is absent. */
interface Invocation {
  readonly name?: CommandName
  /** The first two words that are neither flags nor values of flags. */
  readonly words: ReadonlyArray<string>
  readonly args: ReadonlyArray<string>
}

/**
 * Finds the name of the command in a command line, and the arguments of the command. Flags may precede the name. Some names have two words,
 * such as `monitor status`.
 */
const parseInvocation = async (args: ReadonlyArray<string>): Promise<Invocation> => {
  const [first = ""] = args
  const some = names.filter((name) => name === first || name.startsWith(`${first} `))
  if (isName(first) && some.length === 1) return { name: first, words: [first], args: args.slice(1) }
  const flags = Object.values(await loadAll(some.length === 0 ? names : some)).flatMap((one) =>
    Object.values(one.flags)
  )
  const places = operandsIn([...Object.values(globalFlags), ...flags.filter(({ is }) => is !== "argument")], args)
  const words = places.slice(0, 2).map((place) => args[place]!)
  const name = names.findLast((one) => one === words[0] || one === words.join(" "))
  const own = new Set(places.slice(0, name?.split(" ").length))
  return { ...(name !== undefined && { name }), words, args: args.filter((_, i) => !own.has(i)) }
}

/**
 * Returns an error message if the first word of a command line names no command, or if the second word looks like a misspelt subcommand.
 * Otherwise, or if there are no words, returns `undefined`.
 */
const explainMissingCommand = ({ name, words: [first = "", second = ""] }: Invocation): string | undefined => {
  if (name !== undefined) {
    const verbs = names.flatMap((one) => (one.startsWith(`${name} `) ? [one.slice(name.length + 1)] : []))
    const verb = /^[a-z]+$/i.test(second) ? nearest(second, verbs) : undefined
    if (verb === undefined) return undefined
    return `${name} has no subcommand "${second}". Did you mean \`sourcewire ${name} ${verb}\`? To use a host of that name, add its port: ${second}:27015.`
  }
  if (first === "") return undefined
  if (/[.:]\d|\.[a-z]/i.test(first)) {
    return `"${first}" is an address, not a command. Did you mean \`sourcewire query ${first}\`?`
  }
  return `There is no command "${first}".${didYouMean(nearest(first, names))}`
}

const wantsHelp = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return args.some((arg, i) => (arg === "--help" || arg === "-h") && (end === -1 || i < end))
}

const printHelp = Effect.fnUntraced(function* (name: CommandName | undefined) {
  const { out } = yield* Output
  const { commandPage, helpLines, programPage } = yield* Effect.promise(() => import("./commandLine/help.ts"))
  const commands = yield* Effect.promise(() => loadAll(name === undefined ? names : [name]))
  yield* out.line(...helpLines(name === undefined ? programPage(commands) : commandPage(commands, name), out))
})

const printCompletions = Effect.fnUntraced(function* (shell: "bash" | "zsh" | "fish" | "powershell") {
  const { out } = yield* Output
  const { completionScript } = yield* Effect.promise(() => import("./commandLine/completions.ts"))
  yield* out.line(completionScript(yield* Effect.promise(() => loadAll()), shell))
})

/** A usage error that also mentions how to get help. */
const misused = (message: string, name: CommandName | undefined): UsageError =>
  new UsageError(`${message}\nRun \`sourcewire ${name === undefined ? "" : `${name} `}--help\` for usage.`)

type GlobalSettings = Settings<typeof globalFlags>

const commandLine = Effect.fnUntraced(function* (
  args: ReadonlyArray<string>,
  version: string,
  onCommand: (command: Command) => void
) {
  const isHelp = args[0] === "help"
  const invocation = yield* Effect.promise(() => parseInvocation(isHelp ? args.slice(1) : args))
  const { name } = invocation
  const isHelpRequested = isHelp || wantsHelp(args) || invocation.words[1] === "help"
  const why = isHelpRequested && name !== undefined ? undefined : explainMissingCommand(invocation)
  if (why !== undefined) return yield* misused(why, undefined)
  if (isHelpRequested) return yield* printHelp(name)
  const command = name === undefined ? undefined : yield* Effect.promise(load[name])
  const flags = { ...globalFlags, ...command?.flags }
  // `--version` and `--completions` also work after the name of a command. If one of these two flags is present, the flags and arguments of
  // the command are not parsed, because the user may have omitted required arguments.
  const given = invocation.args.findIndex((arg) => /^--(?:version|completions(?:=.*)?)$/.test(arg))
  const read = parse(
    given === -1 ? flags : globalFlags,
    given === -1 ? invocation.args : invocation.args.slice(given, given + 2)
  )
  if (Result.isFailure(read)) return yield* misused(read.failure.message, name)
  const { completions, version: wantsVersion } = read.success as GlobalSettings
  if (completions !== undefined) return yield* printCompletions(completions)
  if (wantsVersion) return yield* (yield* Output).out.line(`sourcewire v${version}`)
  if (command === undefined) return yield* printHelp(undefined)
  onCommand(command)
  return yield* (yield* Effect.promise(command.load))(read.success)
})

/** Returns the exit code of a run that ended without an exit code: the run was interrupted, or its clean-up failed. */
const exitCodeOfStop = (cause: Cause.Cause<unknown>): ExitCode =>
  Cause.hasInterruptsOnly(cause) ? ExitCode.Interrupted : ExitCode.Failure

/** The signal that stopped a run. */
export type Stop = "SIGINT" | "SIGTERM"

/**
 * Runs a command line. Returns a promise and a function. The promise resolves to the exit code of the command line, and never rejects. The
 * function stops the command.
 */
export const start = (args: ReadonlyArray<string>, version: string) => {
  let isDaemon = false
  let stop: Stop | undefined
  const program = commandLine(args, version, (command) => (isDaemon = command.isDaemon === true)).pipe(
    Effect.matchCauseEffect({ onSuccess: () => Effect.succeed(ExitCode.Success), onFailure: reportExit }),
    Effect.provideService(Output, ofProcess(styleIn(args)))
  )
  const fiber = Effect.runFork(program)
  const finalExitCode = (exit: Exit.Exit<ExitCode>): ExitCode => {
    const code = Exit.isSuccess(exit) ? exit.value : exitCodeOfStop(exit.cause)
    if (stop === undefined) return code
    const isClean = code === ExitCode.Success || code === ExitCode.Interrupted
    if (isDaemon && stop === "SIGTERM") return isClean ? ExitCode.Success : code
    return ExitCode.Interrupted
  }
  const exitCode = new Promise<ExitCode>((resolve) => {
    fiber.addObserver((exit) => resolve(finalExitCode(exit)))
  })
  const interrupt = (signal: Stop): void => {
    stop = signal
    fiber.interruptUnsafe()
  }
  return { exitCode, interrupt }
}
