/** Tests instances that share lists of targets in Postgres. One instance reads a list, and all instances query the servers of the list. */
import { layer as monitorLayer, Monitor, type MonitorEvent, makePlan, runSources, store } from "@sourcewire/monitor"
import { layer as fleetLayer } from "@sourcewire/monitor/fleet"
import { layer as transport } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Result from "effect/Result"
import { once } from "node:events"
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isInstalled, makePostgres, type Postgres, until } from "../../../../tooling/fleet/src/fleet.ts"

/** Waits until the condition is true. The time limit is long, because the machine may be busy. */
const eventually = (what: string, isSo: () => boolean) => until(what, () => Promise.resolve(isSo()), 100_000)

describe.skipIf(!isInstalled)("lists of targets that several instances share", () => {
  const directory = mkdtempSync(join(tmpdir(), "sourcewire-sources-"))
  const file = join(directory, "list.txt")
  const write = (...ports: ReadonlyArray<number>): void => {
    writeFileSync(`${file}.new`, ports.map((port) => `127.0.0.1:${port}\n`).join(""))
    renameSync(`${file}.new`, file)
  }
  let requests = 0
  const http = createServer((_request, response) => {
    requests++
    response.end("127.0.0.1:9\n")
  })
  let postgres: Postgres
  const runners = new Set<Awaited<ReturnType<typeof start>>>()

  const start = async (name: string) => {
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const sources = [{ file }, { url, allowLocal: true, refreshMs: 600_000 }]
    const plan = Result.getOrThrow(makePlan({ groups: [{ name: "all", sources, intervalMs: 60_000 }] }))
    /** The log lines of this instance about the list file. */
    const read: Array<string> = []
    const onEvent = ({ event, message }: MonitorEvent): void => {
      if (event === "source" && message.includes(file)) read.push(message)
    }
    const shared = fleetLayer({ host: name, port: 1 }, onEvent).pipe(
      Layer.provideMerge(store.openShared(postgres.url(), name))
    )
    const runtime = ManagedRuntime.make(
      Layer.effectDiscard(runSources(onEvent)).pipe(
        Layer.provideMerge(monitorLayer({ plan, onEvent })),
        Layer.provideMerge(shared),
        Layer.provideMerge(transport)
      )
    )
    const monitor = await runtime.runPromise(Effect.map(Monitor, (monitor) => monitor))
    const runner = {
      read,
      ports: () => Array.from(monitor.targets.values(), ({ port }) => port).toSorted((a, b) => a - b),
      stop: async () => {
        runners.delete(runner)
        await runtime.dispose()
      }
    }
    runners.add(runner)
    return runner
  }

  beforeAll(async () => {
    http.listen(0, "127.0.0.1")
    await once(http, "listening")
    postgres = await makePostgres()
    await postgres.start()
  })
  afterAll(async () => {
    await Promise.all([...runners].map((runner) => runner.stop()))
    http.close()
    await postgres.remove()
    rmSync(directory, { recursive: true })
  })

  it(
    "are read by only one instance; after this instance stops, another instance reads the lists",
    { timeout: 240_000 },
    async () => {
      write(1)
      const both = await Promise.all([start("one"), start("two")])
      const all = (...ports: ReadonlyArray<number>) =>
        eventually(`all watch ${ports.join()}`, () =>
          [...runners].every((runner) => `${runner.ports()}` === `${ports}`)
        )
      await all(1, 9)
      write(1, 2)
      await all(1, 2, 9)
      const readers = both.filter(({ read }) => read.some((message) => message.endsWith(": 2 servers (1 new)")))
      expect(readers).toHaveLength(1)
      const before = requests
      await readers[0]!.stop()
      write(2, 3)
      await all(2, 3, 9)
      const [other] = runners
      expect(other!.read.at(-1)).toMatch(/: 2 servers \(1 new, 1 removed\)$/)
      // The instance that is still running now reads the lists. It does not download the list from the URL before the next download is due.
      expect(requests).toBe(before)
    }
  )
})
