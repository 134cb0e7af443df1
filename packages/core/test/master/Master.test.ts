import { assert, describe, it } from "@effect/vitest"
import { encode, toHex } from "@sourcewire/protocol"
import { MasterRequest } from "@sourcewire/protocol/wire"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import type { AddressInput } from "../../src/client/ClientShape.ts"
import { Client } from "../../src/client/Client.ts"
import * as Master from "../../src/master/Master.ts"
import { pages as masterPages, servers as masterServers } from "../../src/master/observed.ts"
import { networkLayer, makeNetwork } from "../../src/testing/Testing.ts"
import { parseHex } from "../drive.ts"
import { SERVER, serve } from "../memoryServer.ts"

const address = `${SERVER.address}:${SERVER.port}`

const pageHex = (servers: ReadonlyArray<string>, complete: boolean, padding?: string): string =>
  toHex(
    Result.getOrThrow(encode({ _tag: "MasterReply", servers, complete, ...(padding === undefined ? {} : { padding }) }))
  )

const decodeRequest = (hex: string): MasterRequest => Result.getOrThrow(MasterRequest.decode(parseHex(hex)))

/**
 * Lists the servers of a master. The function `answer` returns the master's reply to each request. The result contains the requests and the
 * outcome. The outcome is the duration and the pages, or an error.
 */
const list = Effect.fnUntraced(function* (
  answer: (request: MasterRequest, bytes: number) => string | undefined,
  options?: Master.MasterOptions
) {
  const requests: Array<MasterRequest> = []
  const network = yield* makeNetwork()
  yield* serve(network, (hex) => {
    const request = decodeRequest(hex)
    requests.push(request)
    const reply = answer(request, hex.length / 2)
    return reply === undefined ? [] : [reply]
  })
  const fiber = yield* masterPages(address, options).pipe(
    Stream.runCollect,
    Effect.timed,
    Effect.result,
    Effect.provide(Layer.provide(Client.layer(), networkLayer(network))),
    Effect.forkChild
  )
  yield* TestClock.adjust("10 minutes")
  return { requests, outcome: yield* Fiber.join(fiber) }
})

const all = Array.from({ length: 25 }, (_, i) => `192.0.2.${i + 1}:27015`)

/** Returns the page with the addresses after the seed, at most ten. */
const replyWithPage = ({ seed }: { readonly seed: string }): string => {
  const from = all.indexOf(seed) + 1
  return pageHex(all.slice(from, from + 10), from + 10 >= all.length)
}

describe("a master's pages", () => {
  it.effect("are requested in order, with a pause between pages", () =>
    Effect.gen(function* () {
      const { requests, outcome } = yield* list(replyWithPage)
      const [duration, pages] = Result.getOrThrow(outcome)
      assert.deepStrictEqual(
        pages.flatMap(({ servers }) => servers),
        all
      )
      assert.deepStrictEqual(
        pages.map(({ end }) => end),
        [undefined, undefined, "complete"]
      )
      assert.deepStrictEqual(
        requests.map(({ region, seed }) => [region, seed]),
        [
          [255, "0.0.0.0:0"],
          [255, all[9]],
          [255, all[19]]
        ]
      )
      assert.isAtLeast(Duration.toMillis(duration), 2 * Master.DEFAULT_PAGE_INTERVAL_MS)
    })
  )

  it.effect("are requested with the given region and filter", () =>
    Effect.gen(function* () {
      const { requests } = yield* list(() => pageHex([], true), {
        region: "europe",
        filter: { gamedir: "cstrike", secure: true }
      })
      assert.deepStrictEqual(requests[0], {
        _tag: "MasterRequest",
        region: 3,
        seed: "0.0.0.0:0",
        filter: "\\gamedir\\cstrike\\secure\\1"
      })
      const text = yield* list(() => pageHex([], true), { region: 9, filter: "\\map\\de_dust2" })
      assert.strictEqual(text.requests[0]!.region, 9)
      assert.strictEqual(text.requests[0]!.filter, "\\map\\de_dust2")
    })
  )

  it.effect("begin with the servers after the address in the option `seed`", () =>
    Effect.gen(function* () {
      const { outcome } = yield* list(replyWithPage, { seed: all[19] })
      const [, pages] = Result.getOrThrow(outcome)
      assert.deepStrictEqual(
        pages.flatMap(({ servers }) => servers),
        all.slice(20)
      )
    })
  )

  it.effect("are requested with padding if the master limits its replies to the size of the request", () =>
    Effect.gen(function* () {
      const sizes: Array<number> = []
      const { outcome } = yield* list(({ seed }, bytes) => {
        sizes.push(bytes)
        const from = all.indexOf(seed) + 1
        const count = Math.floor((bytes - 12) / 6)
        return pageHex(all.slice(from, from + Math.max(1, count)), from + count >= all.length)
      })
      const [, pages] = Result.getOrThrow(outcome)
      assert.strictEqual(pages.flatMap(({ servers }) => servers).length, all.length)
      assert.deepStrictEqual(sizes, [13, 1392])
    })
  )

  it.effect(
    "are requested with padding if the first reply is exactly as long as its request, except if a long filter makes the request longer than the padded size",
    () =>
      Effect.gen(function* () {
        const sizesWith = Effect.fnUntraced(function* (filter: string) {
          const sizes: Array<number> = []
          yield* list(
            ({ seed }, bytes) => {
              sizes.push(bytes)
              const from = all.indexOf(seed) + 1
              const count = Math.floor((bytes - 6) / 6)
              return pageHex(all.slice(from, from + Math.min(count, 20)), from + 20 >= all.length)
            },
            { filter }
          )
          return sizes
        })
        assert.deepStrictEqual(yield* sizesWith("\\a\\bc"), [18, 1392, 1392])
        const bytes = 13 + 5 + 2 * 1000
        assert.deepStrictEqual(yield* sizesWith(`\\map\\${"é".repeat(1000)}`), [
          bytes,
          bytes + (all[19]!.length - "0.0.0.0:0".length)
        ])
      })
  )

  it.effect("end without an error if the master stops replying after a page with padding", () =>
    Effect.gen(function* () {
      const won2 = yield* list(({ seed }) =>
        seed === "0.0.0.0:0" ? pageHex(all.slice(0, 3), false, "0000") : undefined
      )
      const [, pages] = Result.getOrThrow(won2.outcome)
      assert.deepStrictEqual(
        pages.map(({ end }) => end),
        [undefined, "silence"]
      )
    })
  )

  it.effect("end with Timeout if the master stops replying after a page without padding", () =>
    Effect.gen(function* () {
      const lost = yield* list(({ seed }) => (seed === "0.0.0.0:0" ? replyWithPage({ seed }) : undefined))
      assert.strictEqual(Result.isFailure(lost.outcome) && lost.outcome.failure._tag, "Timeout")
    })
  )

  it.effect("are requested until the limit of servers or pages is reached", () =>
    Effect.gen(function* () {
      for (const [options, pages] of [
        [{ maxServers: 10 }, 1],
        [{ maxServers: 11 }, 2],
        [{ maxPages: 2 }, 2]
      ] as const) {
        const { requests, outcome } = yield* list(replyWithPage, options)
        assert.deepStrictEqual([requests.length, Result.getOrThrow(outcome)[1].at(-1)?.end], [pages, "limit"])
      }
    })
  )

  it.effect("are no longer requested if the master repeats a page", () =>
    Effect.gen(function* () {
      const { outcome } = yield* list(({ seed }) =>
        seed === all[1] ? pageHex(all.slice(2, 4), false) : pageHex(all.slice(0, 2), false)
      )
      const [, pages] = Result.getOrThrow(outcome)
      assert.deepStrictEqual(
        pages.map(({ end, servers }) => [servers.length, end]),
        [
          [2, undefined],
          [2, undefined],
          [0, "loop"]
        ]
      )
    })
  )

  it.effect.each([
    ["no master", "", {}, "NoMaster"],
    ["a bad address", "not an address", {}, "InvalidAddress"],
    ["an unknown region", address, { region: "moon" as Master.Region }, "InvalidOption"],
    ["a region above 255", address, { region: 256 }, "InvalidOption"],
    ["a negative pause", address, { pageIntervalMs: -1 }, "InvalidOption"],
    ["a seed that is not an address", address, { seed: "here" }, "InvalidOption"],
    ["a filter that cannot be parsed", address, { filter: "gamedir" }, "InvalidFilter"],
    ["maxPages of 0", address, { maxPages: 0 }, "InvalidOption"],
    // The compiler rejects most of the values below, but a program in JavaScript can pass them.
    ["null as the master", null as never, {}, "InvalidAddress"],
    ["a number as the master", 27_010 as never, {}, "InvalidAddress"],
    ["null as the options", address, null as never, "InvalidOption"],
    ["a string as the options", address, "cstrike" as never, "InvalidOption"],
    ["a region that is a property of Object.prototype", address, { region: "toString" as never }, "InvalidOption"],
    ["an object as the region", address, { region: {} as never }, "InvalidOption"],
    ["a string as the pause", address, { pageIntervalMs: "5" as never }, "InvalidOption"],
    ["a string as maxServers", address, { maxServers: "5" as never }, "InvalidOption"],
    ["null as maxPages", address, { maxPages: null as never }, "InvalidOption"],
    ["a number as the seed", address, { seed: 5 as never }, "InvalidOption"],
    ["an unknown condition", address, { filter: { gamdir: "cstrike" } as never }, "InvalidOption"],
    ["null as a term of a filter", address, { filter: [null] as never }, "InvalidFilter"],
    ["a number as the value of a term", address, { filter: [{ key: "appid", value: 10 }] as never }, "InvalidFilter"],
    ["an unknown operator", address, { filter: [{ operator: "or", terms: [] }] as never }, "InvalidFilter"],
    ["a group without terms", address, { filter: [{ operator: "nor" }] as never }, "InvalidFilter"],
    ["a timeout of 0", address, { timeoutMs: 0 }, "InvalidOption"]
  ] as ReadonlyArray<readonly [string, AddressInput, Master.MasterOptions, string]>)(
    "end with an error before any request is sent if an argument is invalid: %s",
    ([, server, options, tag]) =>
      Effect.gen(function* () {
        const network = yield* makeNetwork()
        const error = yield* masterServers(server, options).pipe(
          Stream.runDrain,
          Effect.flip,
          Effect.provide(Layer.provide(Client.layer(), networkLayer(network)))
        )
        assert.strictEqual(error._tag, tag)
        assert.strictEqual(network.counters.sent, 0)
      })
  )
})
