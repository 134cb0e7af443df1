/** The interactive console: a prompt, the server's replies, and the prompt again. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ExitCode, Reported } from "../../exitCode.ts"
import { Output } from "../../output/output.ts"
import { unmoving } from "../../output/progress.ts"
import { told } from "../../output/sentences.ts"
import { plural } from "../../view/quantities.ts"
import { type Session, exitCodeOf, isRefusal, runCommand } from "../runCommand.ts"
import { COMMON_NAMES } from "./commonNames.ts"
import { addToHistory, readHistory } from "./history.ts"
import { Names } from "./names.ts"
import { openPrompt } from "./prompt.ts"
import { Replies, markedLine } from "./replies.ts"

/** On a server these stop it; at a prompt people mean the prompt. */
const LEAVE = /^\s*(?:exit|quit)\s*$/i

/**
 * Talks until somebody leaves, who has seen what failed: that is no failure of the program's, except to what reads its JSON. Fails with
 * `Reported` when the server refuses us.
 */
export const runConsole = Effect.fnUntraced(function* (session: Session, historyFile: string | undefined) {
  const { err } = yield* Output
  const { palette } = err
  const names = new Names(COMMON_NAMES[session.rcon.engine])
  const replies = new Replies()
  const sentence = (text: string) => palette.faint(told(err, "", text))
  let worst: ExitCode = ExitCode.Success
  const prompt = yield* openPrompt({
    prompt: `${palette.accent(session.name)}${palette.faint(">")} `,
    history: historyFile === undefined ? [] : yield* readHistory(historyFile),
    complete: (line) => names.complete(line),
    isSecret: session.secrecy.isSecret,
    replies: () => replies.newestFirst,
    showReplies: (term) => {
      const found = replies.holding(term)
      for (const line of found) err.writeNow(`${markedLine(line, term, palette.accent)}\n`)
      err.writeNow(
        `${sentence(`${plural(found.length, "line")} of this session's replies with ${JSON.stringify(term)}`)}\n`
      )
    },
    say: (text) => err.writeNow(`${sentence(text)}\n`)
  })
  const say = (text: string) => err.line(sentence(text))

  const carryOut = Effect.fnUntraced(function* (command: string) {
    const result = yield* Effect.raceFirst(
      runCommand(command, { ...session, waiting: unmoving(err), onLine: replies.remember }),
      Effect.as(prompt.interrupted, undefined)
    )
    if (result === undefined)
      return yield* say("^C  The reply is not waited for; the command may have been carried out.")
    if (Result.isSuccess(result)) return names.learn(command, result.success)
    worst = exitCodeOf(result.failure)
    // Trying again is how a wrong password becomes a ban.
    return isRefusal(result.failure) ? yield* new Reported(worst) : undefined
  })

  yield* say(
    `Logged in, ${session.rcon.engine} RCON. Tab completes, after \`cvarlist\` and \`maps *\` all names; Ctrl-R searches what was typed, Ctrl-F what was replied; Ctrl-D leaves.`
  )
  for (;;) {
    const line = yield* prompt.next
    if (line === undefined) {
      yield* err.line("")
      break
    }
    if (line.trim() === "") continue
    if (LEAVE.test(line)) {
      yield* say(`The server goes on. \`sourcewire rcon ${session.name} quit\` would stop it.`)
      break
    }
    if (historyFile !== undefined && !session.secrecy.isSecret(line)) {
      yield* addToHistory(historyFile, line)
    }
    yield* carryOut(line)
  }
  if (session.json && worst !== ExitCode.Success) return yield* new Reported(worst)
  return undefined
})
