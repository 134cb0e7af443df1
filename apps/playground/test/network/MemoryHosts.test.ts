import { profileNames } from "@sourcewire/emulator/machines"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import type { AskEvent, Emulated, Kind, Sample } from "../../bridge/Api.ts"
import type { GivenReply } from "../../engine/GivenReply.ts"
import { OFFERED } from "../../engine/querying.ts"
import { makeMemoryHosts } from "../../src/network/MemoryHosts.ts"
import { PRESETS, listSwitches } from "../../src/query/presets.ts"

/** Runs a test with a new network in the page. The network runs in virtual time. */
const inPage = <A>(use: (page: Page) => Generator<Effect.Effect<unknown, unknown>, A>): Promise<A> =>
  Effect.gen(function* () {
    const perform = yield* makeMemoryHosts
    const request: Page["request"] = (method, path, body) => {
      const outcome = perform({ id: 0, method, path, body })
      return "result" in outcome ? (outcome.result as Effect.Effect<never, Error>) : Effect.die("a stream")
    }
    const events: Page["events"] = (path, body, most = Infinity) =>
      Effect.gen(function* () {
        const outcome = perform({ id: 0, method: "POST", path, body })
        if (!("events" in outcome)) return yield* Effect.die("no stream")
        const taken = Stream.runCollect(Stream.take(outcome.events, most))
        const fiber = yield* Effect.forkChild(taken, { startImmediately: true })
        yield* TestClock.adjust("1 minute")
        return (yield* Fiber.join(fiber)) as ReadonlyArray<unknown> as ReadonlyArray<never>
      })
    const start: Page["start"] = (profile, faults = [], replies) =>
      Effect.map(
        request<ReadonlyArray<Emulated>>("POST", "/servers", { profile, faults, count: 1, replies }),
        (servers) => servers.at(-1)!
      )
    const ask: Page["ask"] = (address, kind = "query") => events("/ask", { address, kind })
    return yield* Effect.gen(() => use({ request, events, start, ask }) as never) as Effect.Effect<A, unknown>
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)

interface Page {
  readonly request: <A>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown) => Effect.Effect<A, Error>
  readonly events: <A>(path: string, body: unknown, most?: number) => Effect.Effect<ReadonlyArray<A>>
  readonly start: (
    profile: string,
    faults?: ReadonlyArray<string>,
    replies?: ReadonlyArray<GivenReply>
  ) => Effect.Effect<Emulated, Error>
  readonly ask: (address: string, kind?: Kind) => Effect.Effect<ReadonlyArray<AskEvent>>
}

const listDatagrams = (events: ReadonlyArray<AskEvent>): ReadonlyArray<string> =>
  events.flatMap((event) => (event._tag === "Datagram" ? [event.hex] : []))

describe("the network in the page", () => {
  it.each(profileNames)("emulates %s", (profile) =>
    inPage(function* ({ ask, start }) {
      const { address } = yield* start(profile)
      expect(address).toBe("127.0.0.1:27015")
      const last = (yield* ask(address)).at(-1)
      // The server of the profile `rehlds` does not support A2S, and replies only to a ping.
      if (profile === "rehlds") expect(last).toMatchObject({ _tag: "Failed", error: { _tag: "Timeout", alive: true } })
      else expect(last).toMatchObject({ _tag: "Answered" })
    })
  )

  it("supports every fault of the emulator", () =>
    inPage(function* ({ ask, start }) {
      for (const { name, takes } of OFFERED.faults) {
        const value = takes === "nothing" ? "" : takes === "bytes" ? "=40" : "=1"
        const { address, faults } = yield* start("css", [`${name}${value}`])
        expect(faults).toEqual([`${name}${value}`])
        expect((yield* ask(address, "info")).at(-1)?._tag).toMatch(/Answered|Failed/)
      }
    }))

  it.each([
    ["challenge loop", "TooManyChallenges"],
    ["server does not respond", "Timeout"],
    ["truncated replies", "Malformed"]
  ])("emulates the preset “%s”", (title, tag) =>
    inPage(function* ({ ask, start }) {
      const { address } = yield* start("css", listSwitches(PRESETS[title]!))
      expect((yield* ask(address, "info")).at(-1)).toMatchObject({ _tag: "Failed", error: { _tag: tag } })
    })
  )

  it("loses the same datagrams if the seed is the same", async () => {
    const run = (seed: number) =>
      inPage(function* ({ ask, start }) {
        const { address } = yield* start("css", ["loss=0.5", `seed=${seed}`])
        // The test compares only the lengths of the datagrams. The seed determines neither the challenges nor the ids of split replies.
        // Therefore the bytes of the datagrams are different in each run.
        return listDatagrams(yield* ask(address)).map((hex) => hex.length)
      })
    expect(await run(3)).toEqual(await run(3))
    expect(await run(3)).not.toEqual(await run(4))
  })

  it("queries its own servers, and rejects other addresses with NotInPage", () =>
    inPage(function* ({ ask, events, start }) {
      yield* start("css")
      for (const address of ["192.0.2.1:27015", "play.example.org"]) {
        expect(yield* ask(address)).toMatchObject([{ _tag: "Failed", error: { _tag: "NotInPage" } }])
      }
      expect(yield* ask("1.2.3")).toMatchObject([{ _tag: "Failed", error: { _tag: "InvalidAddress" } }])
      expect((yield* ask("localhost:27015", "info")).at(-1)).toMatchObject({ _tag: "Answered" })
      const listed = yield* events("/list", { addresses: ["127.0.0.1:27015", "192.0.2.1:27015"] })
      expect(listed.flat()).toMatchObject([{ error: { _tag: "NotInPage" } }, { target: "127.0.0.1:27015" }])
    }))

  it("counts the retransmissions of a watch", () =>
    inPage(function* ({ events, start }) {
      const { address } = yield* start("css", ["drop-first=1"])
      const [first] = yield* events<Sample>("/watch", { address, intervalMs: 500 }, 1)
      expect(first).toMatchObject({ retransmissions: 1 })
    }))

  it("replies to INFO requests with a challenge and then with the given bytes, and to PLAYER requests as usual", () =>
    inPage(function* ({ ask, start }) {
      const datagrams = ["ffffffff4901", "010203"]
      const challenge = "ffffffff4157530000"
      const { address, serves } = yield* start("css", [], [{ request: "info", datagrams, challenge }])
      expect(serves).toEqual(["info"])
      const events = yield* ask(address, "info")
      expect(listDatagrams(events).map((hex) => hex.slice(8, 10))).toEqual(expect.arrayContaining(["54", "41", "49"]))
      expect(listDatagrams(events)).toContain(datagrams[0])
      expect(events.at(-1)).toMatchObject({ _tag: "Failed" })
      expect((yield* ask(address, "players")).at(-1)).toMatchObject({ _tag: "Answered" })
    }))

  it("reuses the ports of stopped servers", () =>
    inPage(function* ({ request, start }) {
      const first = yield* start("css")
      yield* start("rust")
      yield* request("DELETE", `/servers/${first.id}`)
      expect((yield* start("tf2")).address).toBe("127.0.0.1:27015")
      expect(yield* request("DELETE", "/servers")).toEqual([])
      const refused = yield* Effect.flip(start("quake"))
      expect(refused.message).toContain("no profile")
    }))
})

it("the network in the page runs commands on the consoles of its servers", async () => {
  // The test does not use virtual time, because the streams in memory use real time.
  const perform = Effect.runSync(makeMemoryHosts)
  const post = (path: string, body: unknown) => perform({ id: 0, method: "POST", path, body })
  const started = post("/servers", { profile: "css", faults: [], count: 1 })
  if ("result" in started) await Effect.runPromise(started.result)
  const exec = (password: string) => {
    const ran = post("/rcon", { address: "127.0.0.1:27015", password, command: "status" })
    return "events" in ran ? Effect.runPromise(Stream.runCollect(ran.events)) : undefined
  }
  expect(await exec("playground")).toMatchObject([{ _tag: "Connected" }, { _tag: "Text" }, { _tag: "Done" }])
  expect(await exec("wrong")).toMatchObject([{ _tag: "Failed" }])
})
