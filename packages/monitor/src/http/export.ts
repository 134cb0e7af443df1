/**
 * `GET /api/export/incidents`, `/api/export/changes` and `/api/export/samples` return history for other programs as NDJSON or CSV. The
 * response is a stream that reads one page from the store at a time.
 */
import { csvCell, displayText } from "@sourcewire/core/text"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { DAY_MS, HOUR_MS } from "../history/HourSamples.ts"
import { Store, type StoreFailed } from "../store/Store.ts"
import { Monitor } from "../watch/Monitor.ts"
import { findName, type Watched } from "../watch/Watched.ts"
import { makeIncidentReader } from "./incidents.ts"
import { badQuery, oneOf, problem } from "@sourcewire/ui/problem"
import { toChangeRow, isKnown, listSamples } from "./views.ts"

/** Number of rows on a page. */
const PAGE = 1000
const DEFAULT_PERIOD_MS = 30 * DAY_MS

/** The rows that a client requests: all rows of a period, or only the rows of one group or target in this period. */
interface RequestedExport {
  readonly from: number
  readonly to: number
  readonly group: string | undefined
  readonly target: number | undefined
  readonly now: number
}

type Row = Readonly<Record<string, unknown>>
type Pages = Stream.Stream<ReadonlyArray<Row>, StoreFailed>

const iso = (atMs: number | undefined): string | undefined =>
  atMs === undefined ? undefined : new Date(atMs).toISOString()

/**
 * Streams the rows page by page. `read` returns a page and the position of the next page. If there is no next page, the position is
 * `undefined`.
 */
const paged = <M>(
  first: M,
  read: (mark: M) => Effect.Effect<readonly [ReadonlyArray<Row>, M | undefined], StoreFailed>
): Pages => {
  const from = (mark: M): Pages =>
    Stream.unwrap(
      Effect.map(read(mark), ([rows, next]) => {
        const page = Stream.succeed(rows)
        return next === undefined
          ? page
          : Stream.concat(
              page,
              Stream.suspend(() => from(next))
            )
      })
    )
  return Stream.suspend(() => from(first))
}

/** The exports by name. For each export: its columns, and a function that reads a page. */
const makeExports = (monitor: typeof Monitor.Service, store: typeof Store.Service) => {
  const readIncidents = makeIncidentReader(monitor, store)
  const ofTargets = ({ group, target }: RequestedExport): ReadonlyArray<Watched> =>
    [...monitor.targets.values()].filter(
      (one) => (group === undefined || one.group.name === group) && (target === undefined || one.id === target)
    )

  return {
    incidents: {
      columns: "address group name from noticedAt to durationMs isOngoing reason message players map isMuted".split(
        " "
      ),
      pages: ({ from, group, now, target, to }: RequestedExport): Pages =>
        paged(undefined as { readonly from: number; readonly target: number } | undefined, (after) =>
          Effect.map(readIncidents({ fromMs: from, toMs: to, group, target, limit: PAGE, after }, now), (page) => {
            const last = page.at(-1)
            const next = page.length < PAGE || last === undefined ? undefined : { from: last.from, target: last.target }
            const rows = page.map((row) => ({
              ...row,
              from: iso(row.from),
              noticedAt: iso(row.noticedAt),
              to: iso(row.to)
            }))
            return [rows, next] as const
          })
        )
    },

    changes: {
      columns: "id address group name at field from to".split(" "),
      pages: ({ from, group, target, to }: RequestedExport): Pages =>
        paged(from * 1000 - 1, (after) =>
          Effect.map(store.changes({ after, target, limit: PAGE }), (page) => {
            const last = page.at(-1)
            const next = page.length < PAGE || last === undefined || last.at >= to ? undefined : last.id
            const rows = page.flatMap((change) => {
              const watched = monitor.targets.get(change.target)
              const isWanted = change.at < to && (group === undefined || watched?.group.name === group)
              if (!isWanted || !isKnown(change)) return []
              const row = toChangeRow(change, watched)
              return [{ ...row, group: watched?.group.name, at: iso(row.at) }]
            })
            return [rows, next] as const
          })
        )
    },

    samples: {
      columns:
        "address group name at asked answered upMs downMs mutedMs playersMin playersMean playersMax bots rttMin rttMean rttMax".split(
          " "
        ),
      pages: (wanted: RequestedExport): Pages =>
        Stream.fromIterable(ofTargets(wanted)).pipe(
          Stream.mapEffect(({ address, group, id, known }) =>
            Effect.map(store.hours(id, wanted.from, wanted.to - 1), (hours) => {
              const { hour } = known
              const current = hour !== undefined && hour.hour >= wanted.from && hour.hour < wanted.to ? hour : undefined
              const ownName = findName({ address, group, known })
              const name = ownName === undefined ? undefined : displayText(ownName)
              return listSamples(hours, current, HOUR_MS).map(({ at, bots, players, rttMs, ...rest }) => ({
                address,
                group: group.name,
                name,
                at: iso(at),
                ...rest,
                playersMin: players?.min,
                playersMean: players?.mean,
                playersMax: players?.max,
                bots,
                rttMin: rttMs?.min,
                rttMean: rttMs?.mean,
                rttMax: rttMs?.max
              }))
            })
          )
        )
    }
  }
}

/** Parses a time in the query string: a date, or milliseconds since 1970. Returns `undefined` if the text is neither. */
const parseTime = (text: string): number | undefined => {
  const at = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

export const exportRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const monitor = yield* Monitor
    const exports = makeExports(monitor, yield* Store)
    for (const [what, { columns, pages }] of Object.entries(exports)) {
      const answer = Effect.gen(function* () {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const query = new URL(url, "http://monitor").searchParams
        const now = yield* Clock.currentTimeMillis
        const [fromText, toText, format] = [query.get("from"), query.get("to"), query.get("format") ?? "ndjson"]
        const to = toText === null ? now : parseTime(toText)
        const from = fromText === null ? (to ?? now) - DEFAULT_PERIOD_MS : parseTime(fromText)
        for (const [name, time, given] of [
          ["from", from, fromText],
          ["to", to, toText]
        ] as const) {
          if (time !== undefined) continue
          return badQuery(name, "a time in milliseconds since 1970, or a date such as 2026-11-23", given)
        }
        if (format !== "ndjson" && format !== "csv") {
          return badQuery("format", oneOf(["ndjson", "csv"]), format)
        }
        const target = query.get("target")
        if (target !== null && !/^\d{1,9}$/.test(target)) {
          return badQuery("target", "the number of a target", target)
        }
        const group = query.get("group") ?? undefined
        if (group !== undefined && !monitor.plan().groups.has(group)) {
          return problem(404, "NoGroup", `There is no group ${displayText(group)}.`)
        }
        yield* monitor.refresh()
        const wanted = { from: from!, to: to!, group, target: target === null ? undefined : Number(target), now }
        const lines =
          format === "csv"
            ? (rows: ReadonlyArray<Row>) =>
                rows.map((row) => `${columns.map((column) => csvCell(row[column])).join(",")}\n`).join("")
            : (rows: ReadonlyArray<Row>) => rows.map((row) => `${JSON.stringify(row)}\n`).join("")
        const head = format === "csv" ? Stream.succeed(`${columns.join(",")}\n`) : Stream.empty
        const text = Stream.concat(head, Stream.map(pages(wanted), lines))
        return HttpServerResponse.stream(Stream.encodeText(text), {
          contentType: format === "csv" ? "text/csv; charset=utf-8" : "application/x-ndjson",
          headers: { "content-disposition": `attachment; filename="${what}.${format}"` }
        })
      })
      yield* router.add("GET", `/api/export/${what}`, answer)
    }
  })
)
