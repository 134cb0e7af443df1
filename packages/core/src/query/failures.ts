/** The sentences in which a query's failures are told, with what to try. */
import type { Encoding } from "@sourcewire/protocol"
import {
  ConnectionRejected,
  isGoldSourceLog,
  LimitExceeded,
  messageType,
  MessageType,
  PrintReply
} from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { Refused, Timeout, TooManyChallenges, UnexpectedReply } from "../engine/QueryError.ts"
import type { AboutTarget, QueryError, TimeoutPhase } from "../engine/QueryError.ts"

/**
 * The failure, which now says who was asked, as in `host:27015`. It is the same object: whoever made it made it for this target alone.
 * What is no `Error` of ours stays as it is.
 */
export const about = <E>(failure: E, address: string): E & AboutTarget =>
  failure instanceof Error && !("address" in failure)
    ? Object.assign(failure, { address })
    : (failure as E & AboutTarget)

const times = (count: number): string => (count === 1 ? "once" : `${count} times`)

/** Where a query, as opposed to an RCON session, can be. */
type QueryPhase = Extract<TimeoutPhase, "request" | "challenge" | "split">

const HINTS: Readonly<Record<QueryPhase, string>> = {
  request:
    "The server may be down, behind a firewall, or on another port. Check the query port: it can differ from the game port.",
  challenge:
    "The server sent a challenge, but no reply. Some servers do not answer this query, or not while they are empty or locked by a password.",
  split:
    "Part of a split reply arrived, the rest was lost. Use a longer timeout, or look for a firewall that drops fragments."
}

const ALIVE_HINT =
  "The server is up, because it answers a ping or a request to join. It has no queries, leaves them to Steam, or has another query port."

/**
 * An error without a stack. That of a timeout would show a timer and the engine, and takes ten times as long to make as all the rest:
 * it was half of the CPU time of a scan of dead servers. The limit stays as it is where nobody may write to it.
 */
const withoutStack = <E extends Error>(make: () => E): E => {
  // Browsers have it too, their types do not.
  const stackTraceLimit: unknown = Reflect.get(Error, "stackTraceLimit")
  Reflect.set(Error, "stackTraceLimit", 0)
  try {
    return make()
  } finally {
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit)
  }
}

/** The last sentence of a timeout, and what it says: the dead servers of a scan have one in common. */
const told = { valve: "", hint: "", timeoutMs: 0, sent: 0, message: "" }

const timeoutMessage = (valve: string, hint: string, timeoutMs: number, sent: number): string => {
  if (told.valve === valve && told.hint === hint && told.timeoutMs === timeoutMs && told.sent === sent)
    return told.message
  const message = `No reply to ${valve} within ${timeoutMs} ms, sent ${times(sent)}. ${hint}`
  Object.assign(told, { valve, hint, timeoutMs, sent, message })
  return message
}

/** Time is up. `alive` says that the server gave signs of life meanwhile; a text says which, and what to make of them. */
export const timeout = (
  valve: string,
  phase: QueryPhase,
  timeoutMs: number,
  sent: number,
  received: number,
  alive: boolean | string = false
): Timeout => {
  const hint = alive === false ? HINTS[phase] : alive === true ? ALIVE_HINT : alive
  const message = timeoutMessage(valve, hint, timeoutMs, sent)
  const fields = { message, phase, sent, received }
  return withoutStack(() => new Timeout(alive === false ? fields : { ...fields, alive: true }))
}

const UP_HINT =
  "The server is up, because it answered INFO. Some servers do not answer this query, or a filter in front of the server drops it."

/** Why PLAYER or RULES of a server that has answered INFO failed: not because the server is off. */
export const afterInfo = (error: QueryError): QueryError => {
  if (error._tag !== "Timeout" || error.phase !== "request") return error
  const { phase, received, sent } = error
  const message = error.message.replace(HINTS.request, UP_HINT)
  return withoutStack(() => new Timeout({ message, phase, sent, received }))
}

/** A reply of type 0x6C or 0x39, with its text. */
export const refused = (datagram: Uint8Array, encoding: Encoding): Refused => {
  const isPrint = messageType(datagram) === MessageType.A2C_PRINT
  const reply: Result.Result<PrintReply | ConnectionRejected, unknown> = isPrint
    ? PrintReply.decode(datagram, { encoding })
    : ConnectionRejected.decode(datagram, { encoding })
  const said = Result.isSuccess(reply) && !isGoldSourceLog(datagram) ? reply.success.text : ""
  const text = said.replace(/\n+$/, "")
  return new Refused({
    message:
      text === "" ? "The server refused the request without a reason." : `The server refused the request: ${text}`,
    text
  })
}

/** Challenge upon challenge. */
export const tooManyChallenges = (rounds: number): TooManyChallenges =>
  new TooManyChallenges({
    message: `The server answered ${rounds} challenges in a row with another challenge. A router or proxy on the way may change the sender's address or port.`,
    rounds
  })

/** A flood in place of an answer. */
export const tooManyDatagrams = (max: number): LimitExceeded =>
  new LimitExceeded({
    message: `The server sent more than ${max} datagrams, but no reply.`,
    limit: "MAX_TARGET_DATAGRAMS",
    max
  })

/** Only ever another kind of reply. */
export const unexpectedReply = (valve: string, type: number): UnexpectedReply =>
  new UnexpectedReply({
    message: `The server answers ${valve} with another kind of reply (type 0x${type.toString(16).padStart(2, "0")}). A filter in front of the server may cause this.`,
    type
  })
