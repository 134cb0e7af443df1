/** Runs `sourcewire monitor` and `sourcewire exporter`. Both run a monitor until it is stopped. */
import {
  consolesLayer,
  locationMonitorLayer,
  isLocation,
  layer as monitorLayer,
  Monitor,
  type MonitorEvent,
  type Plan,
  runSources,
  runWebhooks,
  fleetStatusLayer,
  store,
  type Store,
  type StoreFailed,
  Web,
  webLayer
} from "@sourcewire/monitor"
import { readPage } from "@sourcewire/ui/page-files"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { formatAddress, ScanBudget } from "@sourcewire/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hostname } from "node:os"
import { setFlagsFromString } from "node:v8"
import manifest from "../../package.json" with { type: "json" }
import { isLoopback, parseBind } from "../bind.ts"
import { ProgramError, UsageError, explainListenError } from "../exitCode.ts"
import { followConfig } from "../files/configFile.ts"
import { jsonLine } from "../output/json.ts"
import { makeLog } from "../output/log.ts"
import { keepRunning } from "../output/keepRunning.ts"
import { Output } from "../output/output.ts"
import { formatSentence } from "../output/sentences.ts"
import { findPage, pageDirectories } from "../pages.ts"
import { plural } from "../view/quantities.ts"
import type { ExporterSettings, MonitorSettings } from "./flags.ts"
import { listIn, ownListFor } from "./ownList.ts"
import { SESSION, claimDatabase, claimStore, describeStore } from "./storeLock.ts"
import { DEFAULT_WEB_PORT, monitorFile, ownStore, planFor, chosenStore, webFor } from "./settings.ts"

/**
 * Sets a flag of V8, so that V8 never allocates new objects in the old generation. By default, V8 observes how long the objects live that
 * each place in the code creates. If most objects from a place live long, V8 allocates later objects from this place in the old generation.
 * The first reply of each server is stored, so its objects live long. A later reply that is identical to the stored reply is discarded at
 * once. Without the flag, the discarded replies would fill the old generation, and V8 would repeatedly mark the whole heap
 * (docs/adr/0017-fleet.md). The flag is reset at the end, because Node's compile cache depends on the flags of V8.
 */
const withoutPretenuring = Effect.acquireRelease(
  Effect.sync(() => setFlagsFromString("--no-allocation-site-pretenuring")),
  () => Effect.sync(() => setFlagsFromString("--allocation-site-pretenuring"))
)

interface MonitorStore {
  /** Returns the layer of the store. If `joins` is true, this layer also divides the targets among this instance and other instances. */
  readonly layer: (onEvent: (event: MonitorEvent) => void) => Layer.Layer<Store, StoreFailed>
  readonly history: boolean
  /** Description of the store, for the output. Absent if there is no store. */
  readonly storeName?: string | undefined
  /** The file with the monitor's own list. Absent if the monitor manages no list. */
  readonly ownList?: string | undefined
  /**
   * Whether this instance and other instances divide their targets among themselves. If `joins` is true, this instance can start even if
   * its command line does not name targets.
   */
  readonly joins?: boolean
}

const run = Effect.fnUntraced(
  function* (settings: ExporterSettings, { history, joins = false, layer, ownList, storeName }: MonitorStore) {
    const { err, notes, out } = yield* Output
    const { log, writer } = makeLog(err, settings.log)
    const isUnsaid = settings.addresses.length === 0 && (settings.config ?? settings.file) === undefined
    const plan = joins && isUnsaid ? undefined : yield* planFor(settings, history)
    const web = yield* webFor(settings)
    // If clients on other hosts can reach the monitor, no client may change the list.
    const list = ownList !== undefined && isLoopback(web.host) ? listIn(ownList) : undefined
    if (ownList !== undefined) {
      const who =
        list === undefined
          ? "the web page cannot change this file, because the monitor does not listen on loopback"
          : "the web page changes this file"
      log("info", "own-list", `targets are listed in ${ownList}; ${who}`)
    }
    const onEvent = ({ event, level, message }: MonitorEvent): void => log(level, event, message)
    const options = { onEvent, budget: new ScanBudget({ rate: settings.rate }) }
    const name = `${hostname()}:${web.port}`
    const base = fleetStatusLayer({ name, version: manifest.version }).pipe(
      Layer.provideMerge(consolesLayer(onEvent)),
      Layer.provideMerge(locationMonitorLayer(options)),
      Layer.provideMerge(monitorLayer({ plan, ...options })),
      Layer.provideMerge(layer(onEvent)),
      Layer.provideMerge(transport)
    )
    yield* withoutPretenuring
    yield* keepRunning({ log, writer }, settings.config !== undefined)
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
    yield* out.line(settings.json ? jsonLine({ listening, url, targets: monitor.plan().targets.size }) : url)
    if (!settings.json) {
      const count = plural(monitor.plan().targets.size, "target")
      const store = storeName === undefined ? "No store: history is not kept." : `Store: ${storeName}.`
      yield* notes.line(
        formatSentence(notes, "", `Querying ${count}. ${store} Open the address above, and press Ctrl-C to stop.`)
      )
    }
    return yield* monitor.taken
  },
  Effect.scoped,
  // Tracing is off, because nothing reads the spans, and each SQL statement would create two spans.
  Effect.withTracerEnabled(false),
  Effect.catchTag("ServeError", ({ cause }) =>
    Effect.fail(new ProgramError(`Cannot serve HTTP: ${explainListenError(cause as NodeJS.ErrnoException)}`))
  )
)

/** Reads the files of the web page. If the page was not built, the monitor runs without the page. */
const dashboard = () => {
  const directory = findPage(pageDirectories("dashboard"))
  return directory === undefined ? undefined : readPage(directory)
}

/**
 * Returns a function that creates the layer for `--join`. With this layer, all instances that use `--join` and the same store divide the
 * targets among themselves. `where` is the address of the store.
 */
const joined = Effect.fnUntraced(function* ({ bind, location, name }: MonitorSettings, where: string | undefined) {
  if (where === undefined || !store.isShared(where)) {
    return yield* new UsageError("--join requires a store that all instances can reach: --store postgres://…")
  }
  const { port } = yield* Effect.fromResult(parseBind(bind, DEFAULT_WEB_PORT))
  // If the port is 0, the system chooses the port later. With the port 0 in their names, two instances on one host would have the same
  // name. Therefore the name of such an instance contains the process id instead of the port.
  const runner = { host: name ?? hostname(), port: port === 0 ? process.pid : port }
  if (location !== undefined && !isLocation(location)) {
    return yield* new UsageError(
      `--location "${location}" is not a valid name. Use up to 64 letters, digits, dots, dashes and underscores.`
    )
  }
  const fleet = yield* Effect.promise(() => import("@sourcewire/monitor/fleet"))
  return (onEvent: (event: MonitorEvent) => void) =>
    fleet.layer(runner, onEvent, location).pipe(Layer.provideMerge(store.openShared(where, fleet.formatName(runner))))
})

export const runMonitor = Effect.fnUntraced(function* (settings: MonitorSettings) {
  const where = yield* chosenStore(settings)
  if (settings.join) {
    const layer = yield* joined(settings, where)
    yield* claimDatabase(where!, settings)
    return yield* run(settings, {
      layer,
      history: true,
      joins: true,
      storeName: describeStore(where!)
    })
  }
  if (settings.location !== undefined) {
    return yield* new UsageError("--location requires --join: only instances that share targets have locations.")
  }
  const ownList = yield* ownListFor(settings)
  const file = where ?? (yield* ownStore)
  if (store.isShared(file)) yield* claimDatabase(file, settings)
  else if (file !== ":memory:") yield* claimStore(file, settings.takeover)
  const layer = store.open(file, SESSION)
  return yield* run(
    { ...settings, config: settings.config ?? ownList },
    {
      layer: () => layer,
      history: true,
      ownList,
      storeName: describeStore(file)
    }
  )
}, Effect.scoped)

export const runExporter = (settings: ExporterSettings) => run(settings, { layer: () => store.none, history: false })
