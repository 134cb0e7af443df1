/** Creates the errors of queries. The messages contain hints about what the user can try. */
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
 * Adds the address of the server, such as `host:27015`, to an error. The function changes the error itself and makes no copy, because each
 * query has its own error object. Values that are not errors stay unchanged.
 */
export const about = <E>(failure: E, address: string): E & AboutTarget =>
  failure instanceof Error && !("address" in failure)
    ? Object.assign(failure, { address })
    : (failure as E & AboutTarget)

const times = (count: number): string => (count === 1 ? "once" : `${count} times`)

/** The phases in which an A2S query can time out. All other values of `TimeoutPhase` occur only with RCON or TCP. */
type QueryPhase = Extract<TimeoutPhase, "request" | "challenge" | "split">

const HINTS: Readonly<Record<QueryPhase, string>> = {
  request:
    "The server may be down, behind a firewall, or on another port. Check the query port: it can differ from the game port.",
  challenge:
    "The server sent a challenge, but did not reply to the request with this challenge. Some servers never reply to this query. Others do not reply while they are empty or require a password.",
  split:
    "Only some fragments of a split reply arrived. Use a longer timeout, or check whether a firewall drops fragments."
}

const ALIVE_HINT =
  "The server is up, because it replies to a ping or a request to join. Either it does not support queries, or Steam handles its queries, or it has another query port."

/**
 * Creates an error without a stack. The stack of a timeout would show only a timer and the engine. Creating the stack takes ten times as
 * long as creating an error without a stack. In a scan of dead servers, stacks would take half of the CPU time. This function cannot
 * prevent the stack if `Error.stackTraceLimit` is read-only.
 */
const withoutStack = <E extends Error>(make: () => E): E => {
  // `Reflect` is used, because the type declarations for browsers do not contain `Error.stackTraceLimit`.
  const stackTraceLimit: unknown = Reflect.get(Error, "stackTraceLimit")
  Reflect.set(Error, "stackTraceLimit", 0)
  try {
    return make()
  } finally {
    Reflect.set(Error, "stackTraceLimit", stackTraceLimit)
  }
}

/**
 * The timeout message that was created last, and the values in its text. The message is reused, because the errors of most dead servers of
 * a scan have the same message.
 */
const last = { valve: "", hint: "", timeoutMs: 0, sent: 0, message: "" }

const timeoutMessage = (valve: string, hint: string, timeoutMs: number, sent: number): string => {
  if (last.valve === valve && last.hint === hint && last.timeoutMs === timeoutMs && last.sent === sent)
    return last.message
  const message = `No reply to ${valve} within ${timeoutMs} ms, sent ${times(sent)}. ${hint}`
  Object.assign(last, { valve, hint, timeoutMs, sent, message })
  return message
}

/**
 * Creates the error for a query whose time limit has passed. If the server showed signs of life, `alive` is `true`, or a text that replaces
 * the usual hint in the error message.
 */
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
  "The server is up, because it replied to INFO. Some servers do not reply to this query, or a filter in front of the server drops it."

/** Replaces the hint in a timeout of PLAYER or RULES, because the reply to INFO has shown that the server is up. */
export const afterInfo = (error: QueryError): QueryError => {
  if (error._tag !== "Timeout" || error.phase !== "request") return error
  const { phase, received, sent } = error
  const message = error.message.replace(HINTS.request, UP_HINT)
  return withoutStack(() => new Timeout({ message, phase, sent, received }))
}

/** Creates the error for a reply of type 0x6C or 0x39. The error contains the text of the reply. */
export const refused = (datagram: Uint8Array, encoding: Encoding): Refused => {
  const isPrint = messageType(datagram) === MessageType.A2C_PRINT
  const reply: Result.Result<PrintReply | ConnectionRejected, unknown> = isPrint
    ? PrintReply.decode(datagram, { encoding })
    : ConnectionRejected.decode(datagram, { encoding })
  const received = Result.isSuccess(reply) && !isGoldSourceLog(datagram) ? reply.success.text : ""
  const text = received.replace(/\n+$/, "")
  return new Refused({
    message:
      text === "" ? "The server refused the request without a reason." : `The server refused the request: ${text}`,
    text
  })
}

/** Creates the error for a server that replied with too many challenges in a row. */
export const tooManyChallenges = (rounds: number): TooManyChallenges =>
  new TooManyChallenges({
    message: `The server replied to ${rounds} requests in a row with a new challenge. A router or proxy on the way may change the sender's address or port.`,
    rounds
  })

/** Creates the error for a server that sent too many datagrams, but no reply. */
export const tooManyDatagrams = (max: number): LimitExceeded =>
  new LimitExceeded({
    message: `The server sent more than ${max} datagrams, but no reply.`,
    limit: "MAX_TARGET_DATAGRAMS",
    max
  })

/** Creates the error for a server that sent messages of an unexpected type instead of the reply. */
export const unexpectedReply = (valve: string, type: number): UnexpectedReply =>
  new UnexpectedReply({
    message: `The server replies to ${valve} with another kind of message (type 0x${type.toString(16).padStart(2, "0")}). A filter in front of the server may cause this.`,
    type
  })
