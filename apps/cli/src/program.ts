/** The command line as a whole: which command it is about, what that runs by, and the exit code. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { readPlain } from "./commandLine/plain.ts"
import { ExitCode, exitCodeOf } from "./exitCode.ts"
import { Output, ofProcess } from "./output/output.ts"

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

/** The command that a command line begins with, and what stands behind its name; some have two words. */
const commandIn = (args: ReadonlyArray<string>) => {
  const [first, second] = args
  const name = names.findLast((name) => name === first || name === `${first} ${second}`)
  return { name, rest: args.slice(name === undefined ? 0 : name === first ? 1 : 2) }
}

const commandLine = async (args: ReadonlyArray<string>, version: string) => {
  const { name, rest } = commandIn(args)
  if (name !== undefined) {
    const command = await load[name]()
    const settings = readPlain(command.flags, rest)
    if (settings !== undefined) return (await command.load())(settings)
  }
  return (await import("./commandLine/full.ts")).runAny(load, commandIn, args, version)
}

const program = (args: ReadonlyArray<string>, version: string): Effect.Effect<ExitCode> =>
  Effect.promise(() => commandLine(args, version)).pipe(
    Effect.flatten,
    Effect.matchCauseEffect({ onSuccess: () => Effect.succeed(ExitCode.Success), onFailure: exitCodeOf }),
    Effect.provideService(Output, ofProcess())
  )

/** Runs a command line: its exit code, and what stops it, when it prints what it knows so far. The promise never rejects. */
export const start = (args: ReadonlyArray<string>, version: string) => {
  const fiber = Effect.runFork(program(args, version))
  const exitCode = new Promise<ExitCode>((resolve) => {
    fiber.addObserver((exit) => resolve(Exit.isSuccess(exit) ? exit.value : ExitCode.Failure))
  })
  return { exitCode, interrupt: () => fiber.interruptUnsafe() }
}
