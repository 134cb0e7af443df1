/** One command: sends it, prints its reply as it comes (or as one line of JSON), or why there is none and how the program ends then. */
import type { Rcon, RconError } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { errorJson, jsonLine } from "../output/json.ts"
import { Output, type Surface } from "../output/output.ts"
import { spinner } from "../output/progress.ts"
import { replyLines } from "./replyLines.ts"
import type { Secrecy } from "./secrecy.ts"
import { ExitCode } from "../exitCode.ts"
import { printFailure } from "../view/failureLine.ts"

export interface Session {
  readonly rcon: Rcon
  readonly name: string
  readonly json: boolean
  readonly secrecy: Secrecy
  /** Where it is shown that a reply is waited for. */
  readonly waiting: Surface
  /** Sees each line of a reply that is printed as text. */
  readonly onLine?: (line: string) => void
}

const asJson = Effect.fnUntraced(function* (command: string, { name, rcon, secrecy, waiting }: Session) {
  const { out } = yield* Output
  const line = yield* spinner(waiting, name)
  const result = yield* Effect.result(rcon.exec(command))
  const told = { engine: rcon.engine, command: secrecy.hide(command) }
  const said = Result.isSuccess(result)
    ? { ok: true, ...told, response: result.success.split("\n").map(secrecy.hideInLine).join("\n") }
    : { ok: false, ...told, error: errorJson(result.failure) }
  yield* line.around(out.line(jsonLine({ address: name, ...said })))
  return result
})

const asText = Effect.fnUntraced(function* (command: string, { name, onLine, rcon, secrecy, waiting }: Session) {
  const { out } = yield* Output
  const lines = replyLines(secrecy, out.palette, onLine)
  const line = yield* spinner(waiting, name)
  let whole = ""
  const result = yield* Effect.result(
    Stream.runForEach(rcon.stream(command), (part) => {
      whole += part
      return line.around(out.write(lines.push(part)))
    })
  )
  yield* line.around(out.write(lines.end()))
  if (Result.isFailure(result)) yield* printRconFailure(name, result.failure)
  return Result.map(result, () => whole)
})

/** The whole reply, or how it failed; either has been printed. */
export const runCommand = (command: string, session: Session) =>
  Effect.scoped(session.json ? asJson(command, session) : asText(command, session))

/** The server knows us, and wants nothing of us. */
export const isRefusal = ({ _tag }: RconError): boolean => _tag === "AuthenticationFailed" || _tag === "Refused"

export const exitCodeOf = (error: RconError): ExitCode => (isRefusal(error) ? ExitCode.Refused : ExitCode.Failure)

const ADVICE: Partial<Record<RconError["_tag"], string>> = {
  AuthenticationFailed: "Check the password; after a few wrong ones servers ban the address.",
  ConnectionClosed: "--trace shows what passed.",
  Malformed: "This may not be a game server's console; --trace shows its bytes.",
  LimitExceeded: "No game server prints as much; it may not be one."
}

export const printRconFailure = (address: string, error: RconError, json = false) =>
  printFailure(address, error, json, ADVICE[error._tag] ?? "")
