/**
 * Tests several locations that query the same servers. The runners have different source addresses, and the servers ignore some of these
 * addresses. The Postgres database is real.
 */
import { Datagrams } from "@sourcewire/core/transport"
import { profiles } from "@sourcewire/emulator"
import {
  type Api,
  locationMonitorLayer,
  layer as monitorLayer,
  Monitor,
  makePlan,
  fleetStatusLayer,
  Store,
  store,
  webLayer,
  Web
} from "@sourcewire/monitor"
import { layer as fleetLayer } from "@sourcewire/monitor/fleet"
import { encode, type InfoReply } from "@sourcewire/protocol"
import { layer as transport } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isInstalled, makePostgres, type Postgres, until } from "../../../../tooling/fleet/src/fleet.ts"

const answer = Result.getOrThrow(encode(profiles.css().info as InfoReply))

/** Starts a server that ignores requests from the source addresses in `closed`. */
const serve = async () => {
  const closed = new Set<string>()
  const askers = new Set<string>()
  const socket = createSocket("udp4")
  socket.on("message", (_, { address, port }) => {
    askers.add(address)
    if (!closed.has(address)) socket.send(answer, port, address)
  })
  socket.bind(0, "127.0.0.1")
  await once(socket, "listening")
  return { address: `127.0.0.1:${socket.address().port}`, askers, closed, close: () => socket.close() }
}

/** Returns a transport that sends from the given source address. */
const from = (source: string): Layer.Layer<Datagrams> =>
  Layer.effect(
    Datagrams,
    Effect.map(Datagrams, (datagrams) =>
      Datagrams.of({
        ...datagrams,
        open: (options, handler) => datagrams.open({ bind: { address: source, port: 0 }, ...options }, handler)
      })
    )
  ).pipe(Layer.provide(transport))

const INTERVAL_MS = 1000

/** Waits until the condition is true. The time limit is long, because the machine may be busy. */
const eventually = (what: string, isSo: () => Promise<boolean>) => until(what, isSo, 200_000)

describe.skipIf(!isInstalled)("two locations", () => {
  let postgres: Postgres
  let server: Awaited<ReturnType<typeof serve>>
  const runners = new Set<Runner>()
  type Runner = Awaited<ReturnType<typeof start>>

  const start = async (name: string, location: string, source: string) => {
    const group = { targets: [server.address], intervalMs: INTERVAL_MS, timeoutMs: 900, downAfter: 3 }
    const plan = Result.getOrThrow(makePlan({ groups: [{ name: "all", locations: 2, ...group }] }))
    const onEvent = (): void => undefined
    const shared = fleetLayer({ host: name, port: 1 }, onEvent, location).pipe(
      Layer.provideMerge(store.openShared(postgres.url(), name))
    )
    const web = webLayer({ host: "127.0.0.1", port: 0, access: { token: undefined, users: undefined }, history: true })
    const runtime = ManagedRuntime.make(
      web.pipe(
        Layer.provideMerge(fleetStatusLayer({ name: "this monitor", version: "1.0.0" })),
        Layer.provideMerge(locationMonitorLayer({ onEvent })),
        Layer.provideMerge(monitorLayer({ plan, onEvent })),
        Layer.provideMerge(shared),
        Layer.provideMerge(from(source))
      )
    )
    const monitor = await runtime.runPromise(Monitor)
    const url = `http://127.0.0.1:${(await runtime.runPromise(Web)).port}`
    const runner = {
      target: () => monitor.find(server.address)!,
      url,
      metrics: async () => (await fetch(`${url}/metrics`)).text(),
      detail: async () =>
        (await (await fetch(`${url}/api/targets/${runner.target().id}`)).json()) as typeof Api.TargetDetail.Type,
      /** Returns the share of a location's queries that received a reply. */
      share: async (location: string) => {
        const response = await fetch(`${url}/api/targets/${runner.target().id}/samples?location=${location}`)
        const { samples } = (await response.json()) as { readonly samples: ReadonlyArray<typeof Api.Sample.Type> }
        const sum = (of: "asked" | "answered") => samples.reduce((sum, sample) => sum + sample[of], 0)
        return sum("answered") / sum("asked")
      },
      changes: async (field: "state" | "disagreement") => {
        const rows = await runtime.runPromise(Store.use(({ changes }) => changes({ field, limit: 100 })))
        return rows.map(({ from, to }) => [from, to]).toReversed()
      },
      state: async () => {
        await runtime.runPromise(monitor.refresh([runner.target()]))
        return runner.target().known.state
      },
      stop: async () => {
        runners.delete(runner)
        await runtime.dispose()
      }
    }
    runners.add(runner)
    return runner
  }

  beforeAll(async () => {
    postgres = await makePostgres()
    await postgres.start()
    server = await serve()
  })
  afterAll(async () => {
    await Promise.all([...runners].map((runner) => runner.stop()))
    server.close()
    await postgres.remove()
  })

  const EU = "127.0.0.2"
  const US = "127.0.0.3"

  it(
    "query a server independently of each other, and report the server as down only if both locations get no reply",
    { timeout: 240_000 },
    async () => {
      const [eu, us] = await Promise.all([start("eu-1", "eu", EU), start("us-1", "us", US)])
      await eventually("both locations query", async () => server.askers.has(EU) && server.askers.has(US))
      await eventually("up", async () => (await eu.state()) === "up")
      // The server has received requests only from the two locations.
      expect([...server.askers].toSorted()).toEqual([EU, US])
      server.closed.add(US)
      await eventually("the locations disagree", async () => (await eu.changes("disagreement")).length === 1)
      expect(await us.state()).toBe("up")
      const rows = async () =>
        (await us.detail()).locations!.map(({ counts, location, state }) => `${location} ${state} ${counts}`)
      // Waits until the store contains a recent result of each location. When the monitor computes the state of the server, it ignores
      // locations without a recent result.
      await eventually(
        "both locations count",
        async () => (await rows()).toSorted().join() === "eu up true,us down true"
      )
      expect(await eu.metrics()).toMatch(/^sourcewire_location_up\{.*location="eu"\} 1$/m)
      expect(await us.metrics()).toMatch(/^sourcewire_location_up\{.*location="us"\} 0$/m)
      const asked = await Promise.all(["eu", "us"].map(us.share))
      expect(asked[0]).toBe(1)
      expect(asked[1]).toBeLessThan(1)
      server.closed.delete(US)
      await eventually("the locations agree", async () => (await eu.changes("disagreement")).length === 2)
      const states = (await eu.changes("disagreement"))[0]![1]!
      expect(states.split(", ").toSorted()).toEqual(["eu: up", "us: down"])
      expect(await eu.changes("disagreement")).toEqual([
        ["", states],
        [states, ""]
      ])
      server.closed.add(US).add(EU)
      await eventually("down", async () => (await eu.state()) === "down")
      server.closed.clear()
      await eventually("up again", async () => (await eu.state()) === "up")
      expect(await eu.changes("state")).toEqual([
        ["up", "down"],
        ["down", "up"]
      ])
      expect(await eu.changes("disagreement")).toHaveLength(2)
    }
  )
})
