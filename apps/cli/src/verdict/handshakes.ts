/** Sends a handshake request to a server for `--verdict`, if Sourcewire knows the form of the handshake of the server's game. */
import type { ClientShape } from "@sourcewire/core/query"
import { type Survey, handshakeForm } from "@sourcewire/verdict"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

const TIMEOUT_MS = 2000

export interface HandshakeTarget {
  readonly survey: Survey
  /** The address under which the survey stores observations of the server. */
  readonly address: string
  readonly target: Parameters<ClientShape["handshake"]>[0]
  /** The Steam app id of the server's game. `undefined` if INFO contains no app id. */
  readonly appId: number | undefined
}

/**
 * Sends a handshake request. If the server replies or times out, the function adds this result to the survey. If Sourcewire does not know
 * the form of the handshake for `appId`, the function does nothing.
 */
export const observeHandshake = Effect.fnUntraced(function* (
  client: ClientShape,
  { address, appId, survey, target }: HandshakeTarget
) {
  const form = handshakeForm(appId)
  if (form === undefined) return
  const result = yield* Effect.result(client.handshake(target, { form, retries: 0, timeoutMs: TIMEOUT_MS }))
  const atMs = Date.now()
  if (Result.isSuccess(result)) {
    const { redirect, rttAmbiguous, rttMs } = result.success
    const rtt = rttAmbiguous === true ? undefined : { handshake: rttMs }
    survey.add({ address, atMs, handshake: { replied: true, redirect }, rttMs: rtt })
  } else if (result.failure._tag === "Timeout") {
    survey.add({ address, atMs, handshake: { replied: false } })
  }
})
