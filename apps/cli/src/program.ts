/** The command line as a whole: the tree of commands, what is printed when it makes no sense, and the exit code. */
import * as Cause from "effect/Cause"
import * as CliConfig from "effect/cli/CliConfig"
import * as CliError from "effect/cli/CliError"
import * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import { ChildProcessSpawner } from "effect/process/ChildProcessSpawner"
import * as Stdio from "effect/Stdio"
import * as Terminal from "effect/Terminal"
import { ExitCode, ProgramError, Reported, UsageError } from "./exitCode.ts"
import * as Output from "./output/output.ts"
import { plain } from "./output/colours.ts"
import { safe } from "./output/text.ts"

// Each loads what declares its name, flags, help and examples, which loads what does the work when it runs.
const load = {
  query: async () => (await import("./query/commands.ts")).query,
  info: async () => (await import("./query/commands.ts")).info,
  players: async () => (await import("./query/commands.ts")).players,
  rules: async () => (await import("./query/commands.ts")).rules,
  scan: async () => (await import("./scan/command.ts")).scan,
  ping: async () => (await import("./ping/command.ts")).ping,
  handshake: async () => (await import("./handshake/command.ts")).handshake,
  rcon: async () => (await import("./rcon/command.ts")).rcon,
  master: async () => (await import("./master/command.ts")).master,
  log: async () => (await import("./log/command.ts")).log,
  decode: async () => (await import("./decode/command.ts")).decode,
  serve: async () => (await import("./serve/command.ts")).serve,
  proxy: async () => (await import("./proxy/command.ts")).proxy,
  playground: async () => (await import("./playground/command.ts")).playground,
  demo: async () => (await import("./demo/command.ts")).demo
}

/** The names of the commands, in the order in which help lists them. */
export const names = Object.keys(load) as ReadonlyArray<keyof typeof load>

/** The commands that a command line may be about: the one that it begins with, or all. */
const commandsFor = (args: ReadonlyArray<string>) => {
  const named = names.filter((name) => name === args[0])
  return Promise.all((named.length === 0 ? names : named).map((name) => load[name]()))
}

const rootWith = ([first, ...others]: Awaited<ReturnType<typeof commandsFor>>) =>
  Command.make("sourcewire").pipe(
    Command.withDescription("Ask, watch and emulate game servers that speak Valve's query protocols"),
    Command.withExamples([
      { command: "sourcewire demo", description: "Start an emulated server on this computer and query it" },
      { command: "sourcewire query 127.0.0.1:27015", description: "Everything that a server says about itself" },
      { command: "sourcewire decode ffffffff414ba1d522", description: "Take a datagram apart" }
    ]),
    Command.withSubcommands([first!, ...others])
  )

const complaint = (err: Output.Surface, message: string): string =>
  `${err.palette.bad("sourcewire:")} ${message.split("\n").map(safe).join("\n")}`

/** Help goes to standard output, everything that is wrong to standard error. */
const presenter = Layer.effect(
  CliOutput.Presenter,
  Effect.map(Output.Output, ({ err, out }): CliOutput.Presenter => {
    const onOut = CliOutput.defaultFormatter({ colors: out.palette !== plain })
    return {
      present: (event) => {
        switch (event._tag) {
          case "Help":
            return out.line(onOut.formatHelpDoc(event.helpDoc))
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

const environment = Layer.mergeAll(
  unused,
  // No wizard and no log levels: the program writes no logs, and its help has examples.
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
  Layer.provideMerge(presenter, Output.layer)
)

const complain = (message: string) => Effect.flatMap(Output.Output, ({ err }) => err.line(complaint(err, message)))

const exitCodeOf = (exit: Exit.Exit<void, unknown>): Effect.Effect<ExitCode, never, Output.Output> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(ExitCode.Success)
  if (Cause.hasInterruptsOnly(exit.cause)) return Effect.succeed(ExitCode.Interrupted)
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  if (error instanceof Reported) return Effect.succeed(error.exitCode)
  if (error instanceof UsageError) return Effect.as(complain(error.message), ExitCode.Usage)
  if (error instanceof ProgramError) return Effect.as(complain(error.message), ExitCode.Failure)
  if (CliError.isCliError(error)) {
    const asksForHelp = error._tag === "ShowHelp" && error.errors.length === 0
    return Effect.succeed(asksForHelp ? ExitCode.Success : ExitCode.Usage)
  }
  return Effect.as(complain(`unexpected failure. ${Cause.pretty(exit.cause)}`), ExitCode.Failure)
}

const program = (args: ReadonlyArray<string>, version: string): Effect.Effect<ExitCode> =>
  Effect.promise(() => commandsFor(args)).pipe(
    Effect.flatMap((commands) => Command.runWith(rootWith(commands), { version })(args)),
    Effect.exit,
    Effect.flatMap(exitCodeOf),
    Effect.provide(environment),
    Effect.orDie
  )

/** A command line under way. */
export interface Running {
  /** Never rejects. */
  readonly exitCode: Promise<ExitCode>
  /** Stops the command, which prints what it knows so far. */
  readonly interrupt: () => void
}

/** Runs a command line. */
export const start = (args: ReadonlyArray<string>, version: string): Running => {
  const fiber = Effect.runFork(program(args, version))
  const exitCode = new Promise<ExitCode>((resolve) => {
    fiber.addObserver((exit) => resolve(Exit.isSuccess(exit) ? exit.value : ExitCode.Failure))
  })
  return { exitCode, interrupt: () => fiber.interruptUnsafe() }
}
