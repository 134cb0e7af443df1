/** Records the spans and metrics of a program under test. */
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import * as PrometheusMetrics from "effect/observability/PrometheusMetrics"

/**
 * Runs a program, and returns its spans and the lines of its metrics in Prometheus's format. If the program also created the parent of a
 * span, the field `parent` of the span is the name of this parent.
 */
export const recordTelemetry = Effect.fnUntraced(function* <E, R>(program: Effect.Effect<unknown, E, R>) {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = Tracer.nativeTracer.span(options)
      spans.push(span)
      return span
    }
  })
  const text = yield* Effect.andThen(program, PrometheusMetrics.format()).pipe(
    Effect.provideService(Tracer.Tracer, tracer),
    Effect.provideService(Metric.MetricRegistry, new Map())
  )
  const names = new Map(spans.map(({ name, spanId }) => [spanId, name]))
  return {
    spans: spans.map(({ attributes, kind, name, parent }) => ({
      name,
      kind,
      parent: Option.isSome(parent) ? names.get(parent.value.spanId) : undefined,
      attributes: Object.fromEntries(attributes)
    })),
    lines: text.split("\n")
  }
})
