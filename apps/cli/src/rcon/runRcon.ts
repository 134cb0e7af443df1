/** Runs `sourcewire rcon`: logs in to a server's console and runs commands. */
import { formatAddress, parseAddress, rcon as openRcon } from "@sourcewire/core"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Reported, UsageError } from "../exitCode.ts"
import { Output } from "../output/output.ts"
import { spinner, unmoving } from "../output/progress.ts"
import { formatSentence } from "../output/sentences.ts"
import { commandLines } from "./commandLines.ts"
import { runConsole } from "./console/runConsole.ts"
import { type Session, rconExitCode, printRconFailure, runCommand } from "./runCommand.ts"
import { PASSWORD_VARIABLE, promptPassword, environmentPassword, readPasswordFile } from "./password.ts"
import { makeSecrecy } from "./secrecy.ts"
import { rconTracer } from "./trace.ts"
import type { RconSettings } from "./flags.ts"

const isInteractive = (): boolean => process.stdin.isTTY === true

/**
 * Maximum number of times that the user is asked for the password. The number is small, because servers ban an address after five or ten
 * wrong passwords.
 */
const TRIES = 3

/** The password from the command line, a file or the environment. `undefined` if the user must type it. */
const findPassword = Effect.fnUntraced(function* (settings: RconSettings) {
  if (settings.password !== undefined) {
    if (!settings.insecurePasswordArgument) {
      return yield* new UsageError(
        `All users of this host can read --password in the process list. Use --password-file FILE, or set ${PASSWORD_VARIABLE}. On a terminal, you can also omit --password and type the password. To use --password anyway, add --insecure-password-argument.`
      )
    }
    if (settings.passwordFile !== undefined) {
      return yield* new UsageError("--password and --password-file cannot be combined. Give one of them.")
    }
    return settings.password
  }
  if (settings.passwordFile !== undefined) return yield* readPasswordFile(settings.passwordFile)
  const fromEnvironment = environmentPassword()
  if (fromEnvironment !== undefined || isInteractive()) return fromEnvironment
  return yield* new UsageError(
    `No password given, and there is no terminal to type it. Use --password-file FILE, or set ${PASSWORD_VARIABLE}.`
  )
})

/**
 * Returns a function that runs a command, and that fails if the command fails. After a failure, the remaining commands are not run, because
 * they may depend on the failed command.
 */
const runEach = (isOnly: boolean, session: Session) =>
  Effect.fnUntraced(function* (command: string) {
    const { err } = yield* Output
    const result = yield* runCommand(command, session)
    if (Result.isSuccess(result)) return
    // This message is printed even if the failed command was the last one, because the program does not read ahead in the file or standard
    // input.
    if (!isOnly) yield* err.line(err.palette.faint("The remaining commands are not sent."))
    return yield* new Reported(rconExitCode(result.failure))
  })

const givenCommands = ({ command, words }: RconSettings): ReadonlyArray<string> =>
  words.length === 0 ? command : [words.join(" "), ...command]

/**
 * Opens the source of the commands: the command line, a file or standard input. Returns `undefined` if the user must type the commands at
 * the interactive prompt.
 */
const openSource = Effect.fnUntraced(function* (settings: RconSettings) {
  const { err } = yield* Output
  const given = givenCommands(settings)
  if (given.some((command) => /[\r\n]/.test(command))) {
    return yield* new UsageError("A command contains a line break. Use --command once for each command.")
  }
  const file = settings.file ?? (given.length > 0 ? "" : "-")
  if (settings.file === undefined && file === "-" && isInteractive()) return undefined
  const onLeave = () => {
    const sentence = "The session ends; the server keeps running. Use --allow-quit to send this line to the server."
    err.writeNow(`${err.palette.faint(formatSentence(err, "", sentence))}\n`)
  }
  return yield* commandLines({ given, file, allowQuit: settings.allowQuit, onLeave })
})

export const runRcon = Effect.fnUntraced(
  function* (settings: RconSettings) {
    const { err, notes } = yield* Output
    const address = yield* Effect.fromResult(parseAddress(settings.address))
    const name = formatAddress(address)
    const commands = yield* openSource(settings)
    const given = yield* findPassword(settings)

    const waiting = settings.trace ? unmoving(notes) : notes

    const logIn = Effect.fnUntraced(function* (password: Redacted.Redacted<string>) {
      const line = yield* spinner(waiting, name)
      const opening = openRcon(settings.address, {
        password,
        engine: settings.engine,
        terminator: settings.terminator,
        timeoutMs: settings.timeout,
        totalTimeoutMs: settings.totalTimeout,
        encoding: settings.encoding,
        ...(settings.trace ? { trace: rconTracer(address, name, err) } : {})
      })
      const rcon = yield* Effect.ensuring(opening, line.around(Effect.void))
      return { rcon, name, json: settings.json, secrecy: makeSecrecy(password), waiting } satisfies Session
    })

    const promptAndLogIn = Effect.fnUntraced(function* () {
      for (let tries = 1; ; tries++) {
        const result = yield* Effect.result(logIn(yield* promptPassword(`Password for ${name}: `)))
        if (Result.isSuccess(result)) return result.success
        if (result.failure._tag !== "AuthenticationFailed" || tries === TRIES) return yield* Effect.fail(result.failure)
        yield* printRconFailure(name, result.failure)
      }
    })

    const opened = yield* Effect.result(given === undefined ? promptAndLogIn() : logIn(given))
    if (Result.isSuccess(opened)) {
      const session = opened.success
      if (commands === undefined) return yield* runConsole(session, settings)
      const isOnly = givenCommands(settings).length === 1 && settings.file === undefined
      return yield* Stream.runForEach(commands, runEach(isOnly, session))
    }
    const error = opened.failure
    if (error._tag === "InvalidAddress" || error._tag === "InvalidOption") return yield* Effect.fail(error)
    if (error._tag === "EncodeError") return yield* new UsageError(error.message)
    yield* printRconFailure(name, error, settings.json)
    return yield* new Reported(rconExitCode(error))
  },
  Effect.scoped,
  Effect.provide(layer)
)
