/** Runs a monitor until it is told to stop: the work of `sourcewire monitor` and `sourcewire exporter`. */
import {
  hereLayer,
  isLocation,
  layer as monitorLayer,
  Monitor,
  type MonitorEvent,
  type Plan,
  runSources,
  runWebhooks,
  standingLayer,
  store,
  type Store,
  type StoreFailed,
  Web,
  webLayer
} from "@sourcewire/monitor"
import { readPage } from "@sourcewire/playground/page"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { formatAddress } from "@sourcewire/core"
import { ScanBudget } from "@sourcewire/core/machines"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hostname } from "node:os"
import { setFlagsFromString } from "node:v8"
import manifest from "../../package.json" with { type: "json" }
import { isLoopback, parseBind } from "../bind.ts"
import { ProgramError, UsageError, whyNotListening } from "../exitCode.ts"
import { followConfig } from "../files/configFile.ts"
import { jsonLine } from "../output/json.ts"
import { makeLog } from "../output/log.ts"
import { outlive } from "../output/outlive.ts"
import { Output } from "../output/output.ts"
import { pageIn, placesOf } from "../pages.ts"
import { plural } from "../view/quantities.ts"
import type { ExporterSettings, MonitorSettings } from "./command.ts"
import { listIn, ownListFor } from "./ownList.ts"
import { monitorFile, ownStore, planFor, storeOf, webFor } from "./settings.ts"

/**
 * Keeps V8 from making objects where old ones are. It begins to as soon as most of what one place made has lived long, as the first
 * answer of each server does and no later one that says the same: then each answer fills the old space, and the whole heap is marked
 * again and again (docs/adr/0017-fleet.md). Afterwards as it was: Node keeps what it has compiled for programs with the same flags.
 */
const withoutPretenuring = Effect.acquireRelease(
  Effect.sync(() => setFlagsFromString("--no-allocation-site-pretenuring")),
  () => Effect.sync(() => setFlagsFromString("--allocation-site-pretenuring"))
)

interface Ground {
  /** Where it keeps what, and with whom it shares the targets. */
  readonly kept: (onEvent: (event: MonitorEvent) => void) => Layer.Layer<Store, StoreFailed>
  readonly history: boolean
  /** The file in which it keeps its list itself. */
  readonly ownList?: string | undefined
  /** Whether others may say what is watched. */
  readonly joins?: boolean
}

const run = Effect.fnUntraced(
  function* (settings: ExporterSettings, { history, joins = false, kept, ownList }: Ground) {
    const { err, out } = yield* Output
    const { log, writer } = makeLog(err, settings.log)
    const isUnsaid = settings.addresses.length === 0 && (settings.config ?? settings.file) === undefined
    const plan = joins && isUnsaid ? undefined : yield* planFor(settings, history)
    const web = yield* webFor(settings)
    // Whoever is let in from elsewhere may read, and no more than that.
    const list = ownList !== undefined && isLoopback(web.host) ? listIn(ownList) : undefined
    if (ownList !== undefined) log("info", "own-list", `what is watched is in ${ownList}; the page changes it`)
    const onEvent = ({ event, level, message }: MonitorEvent): void => log(level, event, message)
    const options = { onEvent, budget: new ScanBudget({ rate: settings.rate }) }
    const name = `${hostname()}:${web.port}`
    const base = standingLayer({ name, version: manifest.version }).pipe(
      Layer.provideMerge(hereLayer(options)),
      Layer.provideMerge(monitorLayer({ plan, ...options })),
      Layer.provideMerge(kept(onEvent)),
      Layer.provideMerge(transport)
    )
    yield* withoutPretenuring
    yield* outlive({ log, writer }, settings.config !== undefined)
    const services = yield* Layer.build(
      webLayer({ ...web, history, list, page: history ? dashboard() : undefined }).pipe(Layer.provideMerge(base))
    )
    const monitor = Context.get(services, Monitor)
    yield* runSources(onEvent).pipe(Effect.provideContext(services))
    if (history) yield* runWebhooks(onEvent).pipe(Effect.provideContext(services))
    if (settings.config !== undefined) {
      const follow = (next: Plan) =>
        Effect.map(monitor.follow(next), () => plural(monitor.plan().targets.size, "target"))
      yield* followConfig(settings.config, monitorFile(settings.config), follow, log)
    }
    const listening = formatAddress({ host: web.host, port: Context.get(services, Web).port })
    const url = `${web.tls === undefined ? "http" : "https"}://${listening}`
    yield* out.line(settings.json ? jsonLine({ url, targets: monitor.plan().targets.size }) : url)
    return yield* monitor.taken
  },
  Effect.scoped,
  // Nobody looks at the spans of a program, and each statement would make two.
  Effect.withTracerEnabled(false),
  Effect.catchTag("ServeError", ({ cause }) =>
    Effect.fail(new ProgramError(`The monitor can't listen: ${whyNotListening(cause as NodeJS.ErrnoException)}`))
  )
)

/** The page, where it was built: a monitor is of use without. */
const dashboard = () => {
  const directory = pageIn(placesOf("dashboard"))
  return directory === undefined ? undefined : readPage(directory)
}

/** Shares the targets with all who join on a store. */
const joined = Effect.fnUntraced(function* ({ bind, location, name }: MonitorSettings, where: string | undefined) {
  if (where === undefined || !store.isShared(where)) {
    return yield* new UsageError("--join takes a store that other machines can reach: --store postgres://…")
  }
  const { port } = yield* Effect.fromResult(parseBind(bind))
  // Without a port that is given nothing but the process tells two on one machine apart.
  const runner = { host: name ?? hostname(), port: port === 0 ? process.pid : port }
  if (location !== undefined && !isLocation(location)) {
    return yield* new UsageError("--location takes up to 64 letters, digits, dots, dashes and underscores.")
  }
  const fleet = yield* Effect.promise(() => import("@sourcewire/monitor/fleet"))
  return (onEvent: (event: MonitorEvent) => void) =>
    fleet.layer(runner, onEvent, location).pipe(Layer.provideMerge(store.openShared(where, fleet.formatName(runner))))
})

export const runMonitor = Effect.fnUntraced(function* (settings: MonitorSettings) {
  const where = yield* storeOf(settings)
  if (settings.join) return yield* run(settings, { kept: yield* joined(settings, where), history: true, joins: true })
  if (settings.location !== undefined) {
    return yield* new UsageError("--location takes --join: a machine alone asks from one place.")
  }
  const ownList = yield* ownListFor(settings)
  const kept = store.open(where ?? ownStore())
  return yield* run({ ...settings, config: settings.config ?? ownList }, { kept: () => kept, history: true, ownList })
})

export const runExporter = (settings: ExporterSettings) => run(settings, { kept: () => store.none, history: false })
