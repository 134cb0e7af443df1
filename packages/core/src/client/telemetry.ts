/**
 * Creates the spans of the Effect API, for `Otlp` of `effect/observability` or any other tracer, and updates the metrics of the Effect API
 * (`metrics.ts`). The Promise API has no spans and no metrics, and does not load this module.
 *
 * The name of a span is `sourcewire.` followed by the name of the query. The attributes of a span are the server (`server.address`,
 * `server.port`), the query (`sourcewire.query`), and the outcome (`sourcewire.attempts`, `sourcewire.received`,
 * `sourcewire.round_trip_ms`, `error.type`).
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

/** The fields of results and errors from which spans and metrics are made. */
type Details = Partial<Traffic> & { readonly _tag?: unknown }

const readDetails = (exit: Exit.Exit<unknown, unknown>): Details => {
  const value = Exit.isSuccess(exit) ? exit.value : Option.getOrUndefined(Exit.findErrorOption(exit))
  return typeof value === "object" && value !== null ? value : {}
}

const nameOutcome = (exit: Exit.Exit<unknown, unknown>, details: Details): string => {
  if (Exit.isSuccess(exit)) return "answered"
  if (typeof details._tag === "string") return details._tag
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect"
}

/** The span attributes for an address. If the address is invalid, there are no attributes. */
const addressAttributes = (address: AddressInput, defaultPort: number | undefined): Record<string, unknown> =>
  Result.match(typeof address === "string" ? Address.parse(address, defaultPort) : Address.from(address), {
    onSuccess: ({ host, port }) => ({ "server.address": host, "server.port": port }),
    onFailure: () => ({})
  })

const record = (span: Tracer.Span, query: string, exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> => {
  const details = readDetails(exit)
  const outcome = nameOutcome(exit, details)
  if (outcome !== "answered") span.attribute("error.type", outcome)
  if (typeof details.sent === "number") span.attribute("sourcewire.attempts", details.sent)
  if (typeof details.received === "number") span.attribute("sourcewire.received", details.received)
  const counted = Metric.update(Metric.withAttributes(ended, { query, outcome }), 1)
  if (typeof details.rttMs !== "number") return counted
  span.attribute("sourcewire.round_trip_ms", details.rttMs)
  if (details.rttAmbiguous === true) return counted
  return Effect.andThen(counted, Metric.update(Metric.withAttributes(roundTrips, { query }), details.rttMs / 1000))
}

/** The options of the span for a call to a server. */
export const spanOptions = (query: string, address: AddressInput, defaultPort?: number): Tracer.SpanOptionsNoTrace => ({
  kind: "client",
  attributes: { ...addressAttributes(address, defaultPort), "sourcewire.query": query }
})

/** Runs a call in a span, and counts the call by its outcome. */
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
