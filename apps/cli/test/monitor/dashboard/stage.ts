/**
 * Starts a monitor and opens its dashboard in a real browser. The monitor queries game servers on a simulated network in memory, and its
 * store contains the results of past queries. The browser loads the pages over a real socket on loopback.
 */
import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import { Datagrams } from "@sourcewire/core/transport"
import { makeServer, profiles } from "@sourcewire/emulator"
import {
  layer as monitorLayer,
  type MonitorConfig,
  makePlan,
  Store,
  fleetStatusLayer,
  store,
  Web,
  webLayer
} from "@sourcewire/monitor"
import { givePast } from "@sourcewire/monitor/testing"
import { findingsInBothThemes, seriousFindings } from "@sourcewire/testing/accessibility"
import { launch } from "@sourcewire/testing/browser"
import { readPage } from "@sourcewire/ui/page-files"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { answerAt, CROWD, type Server } from "./community.ts"

const app = fileURLToPath(new URL("../../../../dashboard", import.meta.url))

/** Builds the page of the dashboard in the same way as for a release. */
export const buildPage = (directory: string): void => {
  const vite = join(app, "node_modules/vite/bin/vite.js")
  const args = [vite, "build", "--outDir", directory, "--emptyOutDir", "--logLevel", "error"]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: app, encoding: "utf8" })
  if (status !== 0) throw new Error(`Cannot build the page:\n${stderr}`)
}

/** The screens on which all tests of the page must pass. */
export const SCREENS = [
  { screen: "desktop", context: { viewport: { width: 1200, height: 740 }, hasTouch: false } },
  { screen: "phone", context: { viewport: { width: 390, height: 780 }, hasTouch: true } }
] as const

/**
 * Returns the serious findings of axe in the light and the dark colour scheme, and an error if the page is wider than the screen. Open the
 * page with `bypassCSP`, because the content policy of the page would block axe.
 */
export const problemsOn = async (page: Parameters<typeof seriousFindings>[0]): Promise<ReadonlyArray<string>> => {
  const problems = await findingsInBothThemes(page, seriousFindings)
  const fits = await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth")
  return fits ? problems : [...problems, "The page is wider than the screen."]
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const seconds = (count: number): number => 1000 * count

/** Yields the times of past queries: every two minutes during the last day, and every twenty minutes before that day. */
function* timesOf(days: number, now: number): Generator<number> {
  const fine = now - DAY_MS
  for (let at = now - days * DAY_MS; at < fine; at += 20 * MINUTE_MS) yield at
  for (let at = Math.max(fine, now - days * DAY_MS); at < now; at += 2 * MINUTE_MS) yield at
  // The last query was one second ago. If the last query were older, all servers could be due for a query when the monitor starts.
  yield now - seconds(1)
}

interface Finding {
  readonly kind: string
  readonly strength: "strong" | "medium" | "weak"
  readonly observed: string
}

/** The servers of a test environment, and their history. */
export interface Scene {
  /** Servers that reply. */
  readonly servers: ReadonlyArray<Server>
  /** Servers with a recent reply in the store. The monitor queries each of these servers only once a day. */
  readonly crowd?: ReadonlyArray<Server>
  /** The number of past days for which the store contains results. */
  readonly days: number
  /** Findings, by the address of the server. If this field is present, `verdicts` is enabled for all groups. */
  readonly findings?: Readonly<Record<string, ReadonlyArray<Finding>>>
}

const crowdGroup = (crowd: ReadonlyArray<Server>) => ({
  name: CROWD,
  targets: crowd.map(({ address }) => address),
  intervalMs: seconds(86_400),
  query: "info" as const,
  downAfter: 1
})

const makeConfig = ({ crowd = [], findings, servers }: Scene): typeof MonitorConfig.Type => ({
  defaults: { query: "all", intervalMs: seconds(15), verdicts: findings !== undefined },
  groups: [
    ...[...Map.groupBy(servers, ({ group }) => group)].map(([name, those]) => ({
      name,
      targets: those.map(({ address }) => address),
      labels: { region: name === "Sydney" ? "au" : "eu" }
    })),
    ...(crowd.length === 0 ? [] : [crowdGroup(crowd)])
  ]
})

/**
 * Returns a network like `datagrams` that delays each received datagram by `delayMs`. While `isDown` returns true, the network drops the
 * received datagrams.
 */
const delayDatagrams = (
  datagrams: typeof Datagrams.Service,
  delayMs: number,
  isDown: () => boolean
): typeof Datagrams.Service => ({
  ...datagrams,
  open: (options, { onDatagram, onFault }) =>
    datagrams.open(options, {
      onFault,
      onDatagram: (bytes, address, port) => {
        if (isDown()) return
        const kept = bytes.slice()
        setTimeout(() => onDatagram(kept, address, port), delayMs)
      }
    })
})

const planFor = (scene: Scene) => Result.getOrThrow(makePlan(makeConfig(scene)))

const storeFindings = Effect.fnUntraced(function* (findings: NonNullable<Scene["findings"]>, now: number) {
  const stored = yield* Store
  const ids = yield* stored.watched
  const judgements = Object.entries(findings).map(([address, found]) => ({
    target: ids.get(address)!,
    findings: found,
    kinds: new Set<string>()
  }))
  yield* stored.judge(judgements, now - MINUTE_MS, DAY_MS)
})

const play = Effect.fnUntraced(function* (scene: Scene, page: string, file: string) {
  const { crowd = [], days, servers } = scene
  const plan = planFor(scene)
  const now = Date.now()
  const byAddress = new Map([...servers, ...crowd].map((server) => [server.address, server]))
  const since = (scene: Scene, times: Iterable<number>) =>
    givePast(planFor(scene), times, (address, at) => {
      const server = byAddress.get(address)
      return server === undefined ? undefined : answerAt(server, at, now)
    })
  const past = since({ servers, days }, timesOf(days, now))
  const lately = since({ servers: [], crowd, days }, [now - MINUTE_MS])
  const found = storeFindings(scene.findings ?? {}, now)
  yield* Effect.provide(Effect.all([past, found, lately], { discard: true }), store.open(file))
  const network = yield* makeNetwork({ reportsClosedPorts: false })
  const datagrams = networkLayer(network)
  for (const server of servers) {
    const [host, port] = server.address.split(":") as [string, string]
    const currentAnswer = () => answerAt(server, Date.now(), now)
    let kept: { readonly minute: number; readonly answer: ReturnType<typeof currentAnswer> } | undefined
    // The reply is computed once per minute. All requests in the same minute receive the same object.
    const current = () => {
      const minute = Math.floor(Date.now() / MINUTE_MS)
      if (kept?.minute !== minute) kept = { minute, answer: currentAnswer() }
      return kept.answer
    }
    const profile = {
      ...profiles.css(),
      info: () => current()?.info,
      players: () => current()?.players,
      rules: () => current()?.rules
    }
    const running = makeServer({ profile, host, port: Number(port) })
    yield* Effect.provideService(
      running,
      Datagrams,
      delayDatagrams(network.datagrams, server.rttMs, () => current() === undefined)
    )
  }
  const monitor = fleetStatusLayer({ name: "this monitor", version: "1.0.0" }).pipe(
    Layer.provideMerge(monitorLayer({ plan })),
    Layer.provideMerge(store.open(file)),
    Layer.provideMerge(datagrams)
  )
  const web = webLayer({ host: "127.0.0.1", port: 0, access: {}, history: true, page: readPage(page) })
  const services = yield* Layer.build(Layer.provideMerge(web, monitor))
  return `http://127.0.0.1:${Context.get(services, Web).port}`
})

/** A running test environment. */
export type Stage = Awaited<ReturnType<typeof setStage>>

/** Starts the monitor and the browser. */
export const setStage = async (scene: Scene) => {
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-dashboard-"))
  const page = join(directory, "page")
  buildPage(page)
  const scope = Effect.runSync(Scope.make())
  const url = await Effect.runPromise(Scope.provide(play(scene, page, join(directory, "monitor.db")), scope))
  const browser = await launch()
  return {
    url,
    browser,
    open: async (context: Parameters<typeof browser.newContext>[0] = {}, fragment = "") => {
      const opened = await (await browser.newContext(context)).newPage()
      const errors: Array<string> = []
      opened.on("pageerror", (error) => errors.push(String(error)))
      opened.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") errors.push(message.text())
      })
      await opened.goto(`${url}/${fragment}`)
      return { page: opened, errors }
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      await Effect.runPromise(Scope.close(scope, Exit.void))
      rmSync(directory, { recursive: true })
    }
  }
}
