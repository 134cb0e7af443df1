/** Requests a challenge from a UDP port, to detect whether it is a GoldSource console. The request contains no secret. */
import { decode, encode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { type Exchange, Step } from "../engine/Exchange.ts"
import type { QueryError } from "../engine/QueryError.ts"
import { repeatAfterMs, sumOfWaits } from "../engine/Retry.ts"

/** Number of requests for a challenge, after which the UDP port counts as one that does not reply. */
export const PROBES = 3

/** The result for the UDP port. */
export type Probed = "answer" | "closed" | "silence"

/** Time without a reply, in ms, after which the port counts as one that does not reply. */
export const probingMs = (timeoutMs: number): number => repeatAfterMs(timeoutMs, 1) * sumOfWaits(PROBES)

/** The replies to such a request: a challenge, or a text, for example for a banned address. */
const ANSWERS: ReadonlySet<string> = /* @__PURE__ */ new Set(["RconChallengeReply", "ConnectionRejected", "PrintReply"])

/** Sends {@link PROBES} requests at most. It never fails. */
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
