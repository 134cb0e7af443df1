/** Requests a challenge from a UDP port, to detect whether the port belongs to a GoldSource console. The request contains no secret. */
import { decode, encode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { type Exchange, Step } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { repeatAfterMs, sumBackoff } from "../engine/Retry.ts"

/** Maximum number of requests for a challenge. If the port replies to none of them, the result is `silence`. */
export const PROBES = 3

/** The result of the probe: the UDP port replied (`answer`), is closed (`closed`), or did not reply (`silence`). */
export type Probed = "answer" | "closed" | "silence"

/** Maximum duration of the probe, in ms. If the port has not replied by then, the result is `silence`. */
export const probingMs = (timeoutMs: number): number => repeatAfterMs(timeoutMs, 1) * sumBackoff(PROBES)

/**
 * The types of messages with which a console replies to a request for a challenge. For example, a console sends a text instead of a
 * challenge if the client's address is banned.
 */
const ANSWERS: ReadonlySet<string> = /* @__PURE__ */ new Set(["RconChallengeReply", "ConnectionRejected", "PrintReply"])

/**
 * Detects whether a UDP port replies to requests for a challenge. The exchange never fails: if the socket has an error, the result is
 * `closed` or `silence`.
 */
export class ChallengeProbe implements Exchange<Probed, never> {
  readonly packet: Uint8Array = Result.getOrThrow(encode({ _tag: "RconChallengeRequest" }))
  deadline = Number.POSITIVE_INFINITY
  result: Result.Result<Probed> | undefined = undefined
  private readonly timeoutMs: number
  private sent = 0

  constructor(timeoutMs: number) {
    this.timeoutMs = timeoutMs
  }

  start(now: number): Step {
    return this.expire(now)
  }

  receive(datagram: Uint8Array): Step {
    if (this.result !== undefined) return Step.Done
    const message = decode(datagram)
    return Result.isSuccess(message) && ANSWERS.has(message.success._tag) ? this.end("answer") : Step.Wait
  }

  expire(now: number): Step {
    if (this.sent === PROBES || this.result !== undefined) return this.end("silence")
    this.sent += 1
    this.deadline = now + repeatAfterMs(this.timeoutMs, this.sent)
    return Step.Send
  }

  fail(error: QueryError): Step {
    return this.end(error._tag === "PortClosed" ? "closed" : "silence")
  }

  private end(probed: Probed): Step {
    this.deadline = Number.POSITIVE_INFINITY
    this.result ??= Result.succeed(probed)
    return Step.Done
  }
}
