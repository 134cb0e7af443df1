/** Runs the interactive console, which repeatedly prompts for a command, runs it, and prints the server's reply. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ExitCode, Reported } from "../../exitCode.ts"
import { Output } from "../../output/output.ts"
import { unmoving } from "../../output/progress.ts"
import { formatSentence } from "../../output/sentences.ts"
import { plural } from "../../view/quantities.ts"
import { isQuit } from "../leave.ts"
import { type Session, rconExitCode, isRefusal, runCommand } from "../runCommand.ts"
import { COMMON_NAMES } from "./commonNames.ts"
import { addToHistory, readHistory } from "./history.ts"
import { Names } from "./names.ts"
import { openPrompt } from "./prompt.ts"
import { Replies, markedLine } from "./replies.ts"

/**
 * Runs the prompt until the user ends the session. If the server refuses the login, the effect fails with `Reported`. With `--json`, a
 * failed command changes the exit code. Without `--json`, it does not, because the user has seen its error message.
 */
export const runConsole = Effect.fnUntraced(function* (
  session: Session,
  { allowQuit, history: historyFile }: { readonly allowQuit: boolean; readonly history: string | undefined }
) {
  const { err } = yield* Output
  const { palette } = err
  const names = new Names(COMMON_NAMES[session.rcon.engine])
  const replies = new Replies()
  const sentence = (text: string) => palette.faint(formatSentence(err, "", text))
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
    print: (text) => err.writeNow(`${sentence(text)}\n`)
  })
  const say = (text: string) => err.line(sentence(text))

  const carryOut = Effect.fnUntraced(function* (command: string) {
    const result = yield* Effect.raceFirst(
      runCommand(command, { ...session, waiting: unmoving(err), onLine: replies.remember }),
      Effect.as(prompt.interrupted, undefined)
    )
    if (result === undefined)
      return yield* say("^C  Stopped waiting for the reply. The command may have been executed.")
    if (Result.isSuccess(result)) return names.learn(command, result.success)
    worst = rconExitCode(result.failure)
    // If the server refuses the login, the console ends. It does not log in again, because servers ban an address after several wrong
    // passwords.
    return isRefusal(result.failure) ? yield* new Reported(worst) : undefined
  })

  yield* say(
    `Logged in, ${session.rcon.engine} RCON. Tab completes common names; after \`cvarlist\` and \`maps *\`, it completes all names. Ctrl-R searches typed lines, Ctrl-F searches replies, Ctrl-D leaves.`
  )
  for (;;) {
    const line = yield* prompt.next
    if (line === undefined) {
      yield* err.line("")
      break
    }
    if (line.trim() === "") continue
    if (isQuit(line) && !allowQuit) {
      yield* say(`The server keeps running. To stop it, use \`sourcewire rcon ${session.name} quit\`.`)
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
