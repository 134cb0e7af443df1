/** Tests clients that request events over real sockets and then do not read from their connections. */
import { assert, expect, it } from "@effect/vitest"
import { Datagrams } from "@sourcewire/core/transport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import http, { createServer } from "node:http"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { afterAll } from "vitest"
import { layer as fleetStatusLayer } from "../src/fleet/FleetStatusService.ts"
import { type EventReader, makeEventReader, MAX_WAITING_BYTES } from "../src/http/eventReader.ts"
import { layer as webLayer, Web } from "../src/http/server.ts"
import { Store } from "../src/store/Store.ts"
import { Monitor, type Updates } from "../src/watch/Monitor.ts"
import { inLab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-events-"))
afterAll(() => rmSync(directory, { recursive: true }))

it.effect("a client that reads its events too slowly is disconnected, and the other clients still receive events", () =>
  inLab(join(directory, "behind.db"), (lab) =>
    Effect.gen(function* () {
      yield* lab.serve(27_015)
      const { monitor, store } = yield* lab.watch(planFor([{ name: "all", targets: ["127.0.0.1:27015"] }]))
      yield* lab.pass(20)
      const listeners = new Set<(news: Updates) => void>()
      const subscribe = (listener: (news: Updates) => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      }
      const services = Context.make(Monitor, { ...monitor, subscribe }).pipe(
        Context.add(Store, store),
        Context.add(Datagrams, lab.network.datagrams)
      )
      const web = webLayer({ host: "127.0.0.1", port: 0, access: {}, history: true })
      const built = yield* Layer.build(
        web.pipe(
          Layer.provide(fleetStatusLayer({ name: "test", version: "1.0.0" })),
          Layer.provide(Layer.succeedContext(services))
        )
      )
      const { port } = Context.get(built, Web)
      const [target] = [...monitor.targets.values()]
      // An event with 2500 updates has a size of about one megabyte.
      const news = (): Updates => ({ changes: [], updated: Array.from({ length: 2500 }, () => target!) })
      yield* Effect.promise(async () => {
        const path = "/api/events?updates=1"
        const received = { bytes: 0 }
        const waitForMoreThan = async (bytes: number): Promise<void> => {
          while (received.bytes <= bytes) await sleep(1)
        }
        http.get({ port, host: "127.0.0.1", path }, (response) =>
          response.on("data", (chunk: Buffer) => (received.bytes += chunk.length))
        )
        const stalled = connect({ port, host: "127.0.0.1" }).on("error", () => undefined)
        stalled.pause().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
        while (listeners.size < 2) await sleep(5)
        let sent = 0
        while (listeners.size === 2) {
          const before = received.bytes
          for (const listener of listeners) listener(news())
          sent++
          await waitForMoreThan(before)
          await sleep(5)
        }
        // Unread data is first in the buffers of the operating system, and then in the monitor's memory. The limit applies only to the
        // monitor's memory.
        expect(sent).toBeGreaterThan(MAX_WAITING_BYTES / 2_000_000)
        // The server resets the connection immediately, and does not wait until the client has read the remaining data.
        const ended = new Promise((resolve) => {
          stalled.once("error", ({ code }: NodeJS.ErrnoException) => resolve(code))
          stalled.once("close", () => resolve("closed"))
        })
        stalled.resume()
        expect(await ended).toBe("ECONNRESET")
        const before = received.bytes
        for (const listener of listeners) listener(news())
        await waitForMoreThan(before)
        assert.strictEqual(listeners.size, 1)
      })
    })
  )
)

it(
  "the memory for unread events is limited, even if 1000 clients never read their events",
  { timeout: 60_000 },
  async () => {
    const readers: Array<EventReader> = []
    const server = createServer((_request, response) => {
      const reader = makeEventReader(response, () => undefined)
      reader.stream.pipe(response)
      readers.push(reader)
    })
    // The test uses Unix sockets, because the operating system's buffers for Unix sockets are small and do not grow.
    const path = join(directory, "readers.sock")
    await new Promise<void>((resolve) => server.listen(path, resolve))
    const sockets: Array<Socket> = []
    for (let i = 0; i < 1000; i++) {
      const socket = connect(path).on("error", () => undefined)
      await once(socket, "connect")
      socket.pause().write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      sockets.push(socket)
    }
    while (readers.length < 1000) await sleep(5)
    const used = (): number => {
      const { arrayBuffers, heapUsed } = process.memoryUsage()
      return arrayBuffers + heapUsed
    }
    const before = used()
    let most = 0
    for (let sent = 0; readers.some(({ stream }) => !stream.destroyed); sent++) {
      const bytes = Buffer.alloc(500_000, "x")
      for (const reader of readers) reader.send(bytes)
      await sleep(1)
      most = Math.max(most, used() - before)
      expect(sent * bytes.length).toBeLessThan(2 * MAX_WAITING_BYTES)
    }
    expect(most).toBeLessThan(16 * MAX_WAITING_BYTES)
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  }
)
