/** The interactive console: a prompt, the server's replies, and the prompt again. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { ExitCode, Reported } from "../exitCode.ts"
import { Output } from "../output/output.ts"
import { type Session, exitCodeOf, isRefusal, runCommand } from "./runCommand.ts"
import { addToHistory, openPrompt, readHistory } from "./prompt.ts"
import { Names } from "./names.ts"

/** On a server these stop it; at a prompt people mean the prompt. */
const LEAVE = /^\s*(?:exit|quit)\s*$/i

/** Talks until somebody leaves. Fails with `Reported` when a command failed, at once when the server refuses us. */
export const runConsole = Effect.fnUntraced(function* (session: Session, historyFile: Option.Option<string>) {
  const { err } = yield* Output
  const { palette } = err
  const names = new Names()
  let worst: ExitCode = ExitCode.Success
  const prompt = yield* openPrompt({
    prompt: `${palette.accent(session.name)}${palette.faint(">")} `,
    history: Option.isSome(historyFile) ? yield* readHistory(historyFile.value) : [],
    complete: (line) => names.complete(line),
    isSecret: session.secrecy.isSecret
  })
  const say = (text: string) => err.line(palette.faint(text))

  const carryOut = Effect.fnUntraced(function* (command: string) {
    const ended = yield* Effect.raceFirst(
      Effect.option(runCommand(command, session)),
      Effect.as(prompt.interrupted, Option.none())
    )
    if (Option.isNone(ended))
      return yield* say("^C  The reply is not waited for; the command may have been carried out.")
    const result = ended.value
    if (Result.isSuccess(result)) return names.isListing(command) ? names.learn(result.success) : undefined
    worst = exitCodeOf(result.failure)
    // Trying again is how a wrong password becomes a ban.
    return isRefusal(result.failure) ? yield* new Reported({ exitCode: worst }) : undefined
  })

  yield* say(
    `Logged in, ${session.rcon.engine} RCON. Ctrl-D or \`quit\` leaves; after \`cvarlist\` Tab completes names.`
  )
  for (;;) {
    const input = yield* prompt.next
    if (input._tag === "Interrupt") {
      yield* err.line("")
      return yield* Effect.interrupt
    }
    if (input._tag === "End") {
      yield* err.line("")
      break
    }
    if (input.text.trim() === "") continue
    if (LEAVE.test(input.text)) {
      yield* say(`The server goes on. \`sourcewire rcon ${session.name} quit\` would stop it.`)
      break
    }
    if (Option.isSome(historyFile) && !session.secrecy.isSecret(input.text)) {
      yield* addToHistory(historyFile.value, input.text)
    }
    yield* carryOut(input.text)
  }
  if (worst !== ExitCode.Success) return yield* new Reported({ exitCode: worst })
  return undefined
})
