/**
 * Tests when the monitor reads the consoles of servers, and how long the monitor waits after a failure. The network is in memory, and the
 * time is virtual.
 */
import { assert, describe, expect, it } from "@effect/vitest"
import { PortClosed } from "@sourcewire/core"
import { networkLayer } from "@sourcewire/core/testing"
import { Datagrams, Streams } from "@sourcewire/core/transport"
import { emulatedConsole, makeServer, profiles } from "@sourcewire/emulator"
import { interceptGoldSource } from "@sourcewire/server/machines"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { Consoles, layer } from "../src/consoles/Consoles.ts"
import { pauseAfter, pauseAfterRefusal } from "../src/consoles/pauses.ts"
import type { Holder, Ownership } from "../src/fleet/Ownership.ts"
import { Monitor } from "../src/watch/Monitor.ts"
import { inLab, type Lab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-consoles-"))
afterAll(() => rmSync(directory, { recursive: true }))

/** A network in which every TCP connection fails. */
const noTcp: typeof Streams.Service = {
  connect: () => Effect.fail(new PortClosed({ message: "The TCP port is closed." })),
  listen: () => Effect.die("no listener")
}

const PORT = 27_015
const HOUR = 3600

/** Starts a server, and a monitor that reads the console of the server. */
const start = Effect.fnUntraced(function* (
  lab: Lab,
  name: string,
  password: string,
  intervalMs: number,
  ownership?: Partial<typeof Ownership.Service>
) {
  const commands: Array<string> = []
  let wrong = 0
  const profile = profiles.cs16()
  const respond = emulatedConsole(profile)
  const { intercept } = yield* interceptGoldSource({
    password: Redacted.make("right"),
    handler: (command, from) => {
      commands.push(command)
      return respond(command, from)
    }
  })
  const server = yield* makeServer({
    profile,
    port: PORT,
    intercept: (datagram, address, port, reply) => {
      if (String.fromCharCode(...datagram).includes('"wrong"')) wrong++
      return intercept(datagram, address, port, reply)
    }
  }).pipe(Effect.provide(networkLayer(lab.network)))
  const file = join(directory, `${name}.txt`)
  writeFileSync(file, password)
  const targets = [`127.0.0.1:${PORT}`]
  const plan = (more: object = {}) =>
    planFor([{ name: "all", targets, query: "all", intervalMs, rconPasswordFile: file, ...more }])
  const running = yield* lab.watch(plan(), ownership)
  const context = Context.make(Monitor, running.monitor).pipe(
    Context.add(Datagrams, lab.network.datagrams),
    Context.add(Streams, noTcp)
  )
  const consoles = Context.get(
    yield* Effect.provideContext(Layer.build(layer((event) => void lab.events.push(event))), context),
    Consoles
  )
  const target = running.monitor.find(targets[0]!)!
  return {
    ...running,
    target,
    file,
    plan,
    server,
    commands: () => commands.filter((command) => command === "status").length,
    wrong: () => wrong,
    reading: () => consoles.of(target.id)
  }
})

/**
 * Advances the virtual clock until the condition is true. After each step, the function waits 2 ms of real time, because the monitor
 * reads files in real time.
 */
const passUntil = Effect.fnUntraced(function* (lab: Lab, isSo: () => boolean) {
  for (let looks = 0; looks < 500 && !isSo(); looks++) {
    yield* lab.pass(1)
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
  }
  expect(isSo()).toBe(true)
})

const test = (name: string, use: Parameters<typeof inLab>[1]) =>
  it.effect(name, () => inLab(join(directory, `${name.replace(/\W/g, "")}.db`), use))

describe("the console of a server", () => {
  test("is read at most once after each reply, and addresses of players are not stored", (lab) =>
    Effect.gen(function* () {
      const { commands, monitor, plan, reading } = yield* start(lab, "rhythm", "right", 60_000)
      yield* lab.pass(600)
      const replies = monitor.counters.answered
      expect(commands()).toBeGreaterThan(replies / 2)
      expect(commands()).toBeLessThanOrEqual(replies)
      const read = reading()
      assert(read !== undefined && "players" in read)
      expect(read.players).toHaveLength(22)
      expect(read.players[0]).toMatchObject({ name: "Cobalt?", ping: 15 })
      expect(JSON.stringify(read)).not.toContain("192.0.2.")
      // After the password file is removed from the configuration, the console is no longer read.
      yield* monitor.follow(plan({ rconPasswordFile: undefined }))
      yield* passUntil(lab, () => reading() === undefined)
    }))

  test("the monitor tries a refused password again after an hour, and uses a new password when the password file changes", (lab) =>
    Effect.gen(function* () {
      const { file, monitor, plan, reading, wrong } = yield* start(lab, "wrong", "wrong", 60_000)
      yield* lab.pass(HOUR / 4, 10)
      expect(wrong()).toBe(1)
      // A reload of the configuration does not cause another attempt with the refused password.
      yield* monitor.follow(plan())
      yield* lab.pass(HOUR / 2, 10)
      expect(wrong()).toBe(1)
      yield* lab.pass(HOUR / 2, 10)
      expect(wrong()).toBe(2)
      expect(reading()).toMatchObject({
        error: {
          _tag: "AuthenticationFailed",
          message:
            "The server refused the RCON password. The monitor tries again in a day, or when the password file changes."
        }
      })
      writeFileSync(file, "right")
      yield* passUntil(lab, () => "players" in (reading() ?? {}))
      expect(JSON.stringify(lab.events)).not.toContain("wrong")
    }))

  test("the log reports when the console cannot be read, when the error message changes, and when the console can be read again", (lab) =>
    Effect.gen(function* () {
      const { file, reading } = yield* start(lab, "logged", "wrong", 60_000)
      yield* passUntil(lab, () => "error" in (reading() ?? {}))
      // After an hour, the server refuses the password again. The text of this second warning differs from the text of the first warning:
      // the next attempt is in a day, not in an hour.
      yield* lab.pass(3 * HOUR, 10)
      writeFileSync(file, "right")
      yield* passUntil(lab, () => "players" in (reading() ?? {}))
      yield* lab.pass(300)
      const refused = `the console of 127.0.0.1:${PORT} cannot be read: The server refused the RCON password.`
      assert.deepEqual(
        lab.events.filter(({ event }) => event === "console").map(({ level, message }) => [level, message]),
        [
          ["warn", `${refused} The monitor tries again in an hour, or when the password file changes.`],
          ["warn", `${refused} The monitor tries again in a day, or when the password file changes.`],
          ["info", `the console of 127.0.0.1:${PORT} can be read again`]
        ]
      )
    }))

  test("is not read after its target is removed", (lab) =>
    Effect.gen(function* () {
      const { commands, monitor, plan, reading } = yield* start(lab, "removed", "right", 60_000)
      yield* passUntil(lab, () => "players" in (reading() ?? {}))
      yield* monitor.follow(plan({ targets: ["127.0.0.1:27016"] }))
      yield* passUntil(lab, () => reading() === undefined)
      const before = commands()
      yield* lab.pass(180)
      assert.equal(commands(), before)
    }))

  test("is not read while another instance owns the server", (lab) =>
    Effect.gen(function* () {
      const holders: Array<Holder> = []
      const instance = (owner: string): Partial<typeof Ownership.Service> => ({
        owner,
        isShared: true,
        assignTo: (holder) => Effect.sync(() => void holders.push(holder)),
        only: () => Effect.void
      })
      const { commands, monitor, plan, reading, target } = yield* start(lab, "owned", "right", 60_000, instance("one"))
      const other = yield* lab.watch(plan(), instance("two"))
      const [one, two] = holders as [Holder, Holder]
      yield* one.take([target.slice])
      yield* passUntil(lab, () => "players" in (reading() ?? {}))
      yield* two.take([target.slice])
      yield* passUntil(lab, () => reading() === undefined)
      const before = commands()
      for (let minutes = 0; minutes < 4; minutes++) {
        yield* lab.pass(60)
        // Here the first instance loads the results of the second instance from the store. Opening the dashboard has the same effect.
        yield* monitor.refresh()
      }
      assert.equal(target.known.state, "up")
      assert.isAbove(other.monitor.counters.answered, 1)
      assert.equal(commands(), before)
      yield* one.take([target.slice])
      yield* passUntil(lab, () => commands() > before)
    }))

  test("is not read if the password file is missing, and the log reports this once", (lab) =>
    Effect.gen(function* () {
      const { commands, file, reading } = yield* start(lab, "missing", "right", 60_000)
      rmSync(file)
      yield* passUntil(lab, () => "error" in (reading() ?? {}))
      yield* lab.pass(300)
      const message = "This instance cannot read the RCON password file of the group."
      assert.deepInclude(reading(), { error: { _tag: "NoPassword", message } })
      const logged = lab.events.filter(({ event }) => event === "console")
      assert.lengthOf(logged, 1)
      assert.match(logged[0]!.message, /^no console of group all is read: /)
      const before = commands()
      writeFileSync(file, "right")
      yield* passUntil(lab, () => commands() > before)
    }))

  it("receives a wrong password at most four times", () => {
    const pauses = [1, 2, 3, 4].map((refusals) => pauseAfterRefusal(refusals)[0])
    expect(pauses).toEqual([HOUR * 1000, 24 * HOUR * 1000, 7 * 24 * HOUR * 1000, Infinity])
  })

  it("the pause before the next reading doubles with each failure, up to ten minutes or one query interval, whichever is longer", () => {
    expect([1, 2, 3, 10].map((failures) => pauseAfter(failures, 15_000))).toEqual([15_000, 30_000, 60_000, 600_000])
    expect(pauseAfter(5, 3_600_000)).toBe(3_600_000)
  })
})

it("a group with `rconPasswordFile` is rejected if its query is not `all`", () => {
  const group = { name: "all", targets: ["127.0.0.1:27015"], rconPasswordFile: "rcon.txt" }
  expect(() => planFor([group])).toThrow('rconPasswordFile requires query "all"')
  expect(planFor({ defaults: { query: "all", rconPasswordFile: "a" }, groups: [{ name: "b" }] }).hasConsoles).toBe(true)
})
