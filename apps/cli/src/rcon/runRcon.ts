/** Logs in to a server's console and gives it commands: the work of `sourcewire rcon`. */
import { formatAddress, parseAddress, rcon as openRcon } from "@sourcewire/core"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Reported, UsageError } from "../exitCode.ts"
import { Output } from "../output/output.ts"
import { spinner, unmoving } from "../output/progress.ts"
import { commandLines } from "./commandLines.ts"
import { runConsole } from "./console/runConsole.ts"
import { type Session, exitCodeOf, printRconFailure, runCommand } from "./runCommand.ts"
import { PASSWORD_VARIABLE, askPassword, environmentPassword, readPasswordFile } from "./password.ts"
import { secrecyOf } from "./secrecy.ts"
import { rconTracer } from "./trace.ts"
import type { RconSettings } from "./command.ts"

const isInteractive = (): boolean => process.stdin.isTTY === true

/** How often somebody may type the password. Servers ban an address after five wrong ones, or after ten. */
const TRIES = 3

/** The password of the command line, a file or the environment; none where it is to be typed. */
const passwordOf = Effect.fnUntraced(function* (settings: RconSettings) {
  if (settings.password !== undefined) {
    if (!settings.insecurePasswordArgument) {
      return yield* new UsageError(
        `Everybody on this computer can read what stands behind --password, in each process that a shell or npm makes of it. Give --password-file FILE, set ${PASSWORD_VARIABLE}, or leave it out to be asked; --insecure-password-argument takes it all the same.`
      )
    }
    if (settings.passwordFile !== undefined) {
      return yield* new UsageError("Give --password or --password-file, not both.")
    }
    return settings.password
  }
  if (settings.passwordFile !== undefined) return yield* readPasswordFile(settings.passwordFile)
  const fromEnvironment = environmentPassword()
  if (fromEnvironment !== undefined || isInteractive()) return fromEnvironment
  return yield* new UsageError(
    `There is no password. Give --password-file, or set ${PASSWORD_VARIABLE}; it is asked for only at a terminal.`
  )
})

/** Runs commands until there are no more or one fails: what follows may depend on it. */
const runEach = (isOnly: boolean, session: Session) =>
  Effect.fnUntraced(function* (command: string) {
    const { err } = yield* Output
    const result = yield* runCommand(command, session)
    if (Result.isSuccess(result)) return
    // Whether there are any is not asked: standard input may take its time.
    if (!isOnly) yield* err.line(err.palette.faint("Commands behind this one are not sent."))
    return yield* new Reported(exitCodeOf(result.failure))
  })

const givenOf = ({ command, words }: RconSettings): ReadonlyArray<string> =>
  words.length === 0 ? command : [words.join(" "), ...command]

/** Where commands come from; `undefined` stands for the prompt. */
const sourceOf = (settings: RconSettings) => {
  const { file } = settings
  const given = givenOf(settings)
  if (given.length > 0 || file !== undefined) return commandLines(given, file)
  return isInteractive() ? Effect.succeed(undefined) : commandLines([], "-")
}

export const runRcon = Effect.fnUntraced(
  function* (settings: RconSettings) {
    const { err } = yield* Output
    const address = yield* Effect.fromResult(parseAddress(settings.address))
    const name = formatAddress(address)
    const commands = yield* sourceOf(settings)
    const given = yield* passwordOf(settings)

    const waiting = settings.trace ? unmoving(err) : err

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
      return { rcon, name, json: settings.json, secrecy: secrecyOf(password), waiting } satisfies Session
    })

    const askAndLogIn = Effect.fnUntraced(function* () {
      for (let tries = 1; ; tries++) {
        const result = yield* Effect.result(logIn(yield* askPassword(`Password for ${name}: `)))
        if (Result.isSuccess(result)) return result.success
        if (result.failure._tag !== "AuthenticationFailed" || tries === TRIES) return yield* Effect.fail(result.failure)
        yield* printRconFailure(name, result.failure)
      }
    })

    const opened = yield* Effect.result(given === undefined ? askAndLogIn() : logIn(given))
    if (Result.isSuccess(opened)) {
      const session = opened.success
      if (commands === undefined) return yield* runConsole(session, settings.history)
      const isOnly = givenOf(settings).length === 1 && settings.file === undefined
      return yield* Stream.runForEach(commands, runEach(isOnly, session))
    }
    const error = opened.failure
    if (error._tag === "InvalidAddress" || error._tag === "InvalidOption") return yield* Effect.fail(error)
    if (error._tag === "EncodeError") return yield* new UsageError(error.message)
    yield* printRconFailure(name, error, settings.json)
    return yield* new Reported(exitCodeOf(error))
  },
  Effect.scoped,
  Effect.provide(layer)
)
