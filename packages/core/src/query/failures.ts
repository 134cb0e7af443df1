/** The sentences in which a query's failures are told, with what to try. */
import type { Encoding } from "@sourcewire/protocol"
import {
  ConnectionRejected,
  isGoldSourceLog,
  LimitExceeded,
  messageType,
  MessageType,
  PrintReply
} from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { Refused, Timeout, TooManyChallenges, UnexpectedReply } from "../engine/QueryError.ts"
import type { AboutTarget, TimeoutPhase } from "../engine/QueryError.ts"

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
    "The server may be off, behind a firewall, or on another port: check the query port, which is not always the game port.",
  challenge:
    "It gave a challenge and then said nothing: some servers do not answer this query, or not while empty or locked by a password.",
  split:
    "Part of a split reply arrived, the rest was lost: try a longer timeout, or look for a firewall that drops fragments."
}

const ALIVE_HINT =
  "The server is there, for it answers a ping or a request to join: it has no queries, or leaves them to Steam, which does not run there; or its query port is another."

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
const told = { asked: "", hint: "", timeoutMs: 0, sent: 0, message: "" }

const timeoutMessage = (asked: string, hint: string, timeoutMs: number, sent: number): string => {
  if (told.asked === asked && told.hint === hint && told.timeoutMs === timeoutMs && told.sent === sent)
    return told.message
  const message = `No answer to ${asked} within ${timeoutMs} ms, asked ${times(sent)}. ${hint}`
  Object.assign(told, { asked, hint, timeoutMs, sent, message })
  return message
}

/** Time is up. `isAlive` says that the server gave signs of life meanwhile. */
export const timeout = (
  asked: string,
  phase: QueryPhase,
  timeoutMs: number,
  sent: number,
  received: number,
  isAlive = false
): Timeout => {
  const message = timeoutMessage(asked, isAlive ? ALIVE_HINT : HINTS[phase], timeoutMs, sent)
  const fields = { message, phase, sent, received }
  return withoutStack(() => new Timeout(isAlive ? { ...fields, alive: true } : fields))
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
    message: text === "" ? "The server refuses to answer, without a reason." : `The server refuses to answer: ${text}`,
    text
  })
}

/** Challenge upon challenge. */
export const tooManyChallenges = (rounds: number): TooManyChallenges =>
  new TooManyChallenges({
    message: `The server answered ${rounds} challenges in a row with another challenge. Something between here and there changes the sender's address or port.`,
    rounds
  })

/** A flood in place of an answer. */
export const tooManyDatagrams = (max: number): LimitExceeded =>
  new LimitExceeded({
    message: `The server sent more than ${max} datagrams, and no answer among them.`,
    limit: "MAX_TARGET_DATAGRAMS",
    max
  })

/** Only ever another kind of reply. */
export const unexpectedReply = (valve: string, type: number): UnexpectedReply =>
  new UnexpectedReply({
    message: `The server answers ${valve} with another kind of reply (type 0x${type.toString(16).padStart(2, "0")}). A filter in front of it may be in the way.`,
    type
  })
