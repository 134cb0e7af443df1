/**
 * Spans of the Effect API, for `Otlp` of `effect/observability` or any other tracer, and what its `metrics.ts` count. The Promise API has
 * none, and does not load this module.
 *
 * A span is named `sourcewire.` and its query, and says who was asked (`server.address`, `server.port`) and how it went
 * (`sourcewire.attempts`, `sourcewire.received`, `sourcewire.round_trip_ms`, `error.type`).
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Tracer from "effect/Tracer"
import * as Address from "../address/Address.ts"
import type { AddressInput, Traffic } from "./ClientShape.ts"
import { ended, roundTrips } from "./metrics.ts"

/** What answers and errors may say of how they came. */
type Told = Partial<Traffic> & { readonly _tag?: unknown }

const toldBy = (exit: Exit.Exit<unknown, unknown>): Told => {
  const value = Exit.isSuccess(exit) ? exit.value : Option.getOrUndefined(Exit.findErrorOption(exit))
  return typeof value === "object" && value !== null ? value : {}
}

const nameOutcome = (exit: Exit.Exit<unknown, unknown>, told: Told): string => {
  if (Exit.isSuccess(exit)) return "answered"
  if (typeof told._tag === "string") return told._tag
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect"
}

/** What a span says of an address; nothing where it is none. */
const addressAttributes = (address: AddressInput, defaultPort: number | undefined): Record<string, unknown> =>
  Result.match(typeof address === "string" ? Address.parse(address, defaultPort) : Address.from(address), {
    onSuccess: ({ host, port }) => ({ "server.address": host, "server.port": port }),
    onFailure: () => ({})
  })

const record = (span: Tracer.Span, query: string, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> => {
  const told = toldBy(exit)
  const outcome = nameOutcome(exit, told)
  if (outcome !== "answered") span.attribute("error.type", outcome)
  if (typeof told.sent === "number") span.attribute("sourcewire.attempts", told.sent)
  if (typeof told.received === "number") span.attribute("sourcewire.received", told.received)
  const counted = Metric.update(Metric.withAttributes(ended, { query, outcome }), 1)
  if (typeof told.rttMs !== "number") return counted
  span.attribute("sourcewire.round_trip_ms", told.rttMs)
  if (told.rttAmbiguous === true) return counted
  return Effect.andThen(counted, Metric.update(Metric.withAttributes(roundTrips, { query }), told.rttMs / 1000))
}

/** What the span of a call to a server begins with. */
export const spanOptions = (query: string, address: AddressInput, defaultPort?: number): Tracer.SpanOptionsNoTrace => ({
  kind: "client",
  attributes: { ...addressAttributes(address, defaultPort), "sourcewire.query": query }
})

/** The call in a span, and counted. */
export const observed = <A, E, R>(
  query: string,
  address: AddressInput,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.suspend(() =>
    Effect.useSpan(`sourcewire.${query}`, spanOptions(query, address), (span) =>
      Effect.withParentSpan(
        Effect.onExit(call, (exit) => record(span, query, exit)),
        span,
        { captureStackTrace: false }
      )
    )
  )
