/** Runs one RCON command. Prints the reply as it arrives, or as one line of JSON. */
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
  /** The output on which the spinner is shown. */
  readonly waiting: Surface
  /** If replies are printed as text, this function is called with each line of a reply, so that the console can store the line. */
  readonly onLine?: (line: string) => void
}

/**
 * Converts a reply to fields of the JSON output. If the command is `status`, and the reply has a known layout, the fields include the
 * parsed reply.
 */
const readReply = (command: string, response: string) =>
  Effect.promise(async () => {
    if (command.trim().toLowerCase() !== "status") return { response }
    const { readStatus } = await import("./status.ts")
    const status = readStatus(response)
    return status.layout === undefined ? { response } : { response, status }
  })

const asJson = Effect.fnUntraced(function* (command: string, { name, rcon, secrecy, waiting }: Session) {
  const { out } = yield* Output
  const line = yield* spinner(waiting, name)
  const result = yield* Effect.result(rcon.exec(command))
  const request = { engine: rcon.engine, command: secrecy.hide(command) }
  const outcome = Result.isSuccess(result)
    ? { ok: true, ...request, ...(yield* readReply(command, secrecy.hide(result.success))) }
    : { ok: false, ...request, error: errorJson(result.failure) }
  yield* line.around(out.line(jsonLine({ address: name, ...outcome })))
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

/** Runs a command, and prints its reply or its error. Returns this reply or this error as a `Result`. */
export const runCommand = (command: string, session: Session) =>
  Effect.scoped(session.json ? asJson(command, session) : asText(command, session))

/** Whether the server rejected the password or the client's address. */
export const isRefusal = ({ _tag }: RconError): boolean => _tag === "AuthenticationFailed" || _tag === "Refused"

export const rconExitCode = (error: RconError): ExitCode => (isRefusal(error) ? ExitCode.Refused : ExitCode.Failure)

const ADVICE: Partial<Record<RconError["_tag"], string>> = {
  AuthenticationFailed: "Check the password: servers ban an address after a few wrong passwords.",
  ConnectionClosed: "--trace shows the packets.",
  Malformed: "This may not be the RCON port of a game server; --trace shows the received bytes.",
  LimitExceeded: "Game servers do not print that much. Check the address."
}

export const printRconFailure = (address: string, error: RconError, json = false) =>
  printFailure(address, error, json, ADVICE[error._tag] ?? "")
