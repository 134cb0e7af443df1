/**
 * The metrics of the Effect API, for `PrometheusMetrics` of `effect/observability` or any other exporter.
 *
 * | metric | labels | |
 * |---|---|---|
 * | `sourcewire_queries_total` | `query`, `outcome` | completed calls: `answered`, `interrupted`, `defect` (an unexpected error), or the error's `_tag` |
 * | `sourcewire_round_trip_seconds` | `query` | histogram of the round-trip times of replies, without ambiguous times |
 * | `sourcewire_scan_targets_total` | `query`, `outcome` | targets of scans: `answered` or `failed`; counted when a scan ends |
 */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** Completed calls. */
export const ended = /* @__PURE__ */ Metric.counter("sourcewire_queries_total", {
  description: "Completed calls, by query and outcome.",
  incremental: true
})

/** Round-trip times of replies. */
export const roundTrips = /* @__PURE__ */ Metric.histogram("sourcewire_round_trip_seconds", {
  description: "Round-trip times of replies, without ambiguous times.",
  attributes: { unit: "seconds" },
  boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5]
})

const targets = /* @__PURE__ */ Metric.counter("sourcewire_scan_targets_total", {
  description: "Targets of completed scans, by query and outcome.",
  incremental: true
})

/** Counts the targets of a scan. */
export const countTargets = (
  query: string,
  { answered, failed }: { readonly answered: number; readonly failed: number }
): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(targets, { query, outcome: "answered" }), answered),
    Metric.update(Metric.withAttributes(targets, { query, outcome: "failed" }), failed)
  )
