/** Tests the alerts that webhooks receive over a real socket on loopback. The game servers are in memory. */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeEach } from "vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Alert, combine, isSummary, STABLE_MS, judgeSteadiness } from "../src/alerts/grouping.ts"
import { makeAlert, formatBody, durationText, fitting } from "../src/alerts/message.ts"
import { post, runWebhooks } from "../src/alerts/Webhooks.ts"
import type { MonitorConfig, WebhookConfig } from "../src/config/Config.ts"
import { renderBadge } from "../src/http/badge.ts"
import { open } from "../src/store/index.ts"
import { ALL_SLICES } from "../src/store/slices.ts"
import { Store } from "../src/store/Store.ts"
import { Monitor, type MonitorEvent } from "../src/watch/Monitor.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"
import { inLab, type Lab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-webhooks-"))

/** An alert in a request to the receiver. */
interface SentAlert {
  readonly event: string
  readonly text: string
  readonly kind?: string
  readonly address?: string
  readonly reason?: string
  readonly durationMs?: number
  readonly count?: number
}
/** The bodies of the requests that the receiver has received. */
let bodies: Array<{ readonly alerts: ReadonlyArray<SentAlert> }> = []
/** Status codes of the receiver's next replies. At the end of the list, the receiver repeats the last status code. */
let statuses: Array<number> = []
/** The `Retry-After` header of the receiver's next replies. */
let retryAfter: string | undefined
const receiver = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
  request.on("end", () => {
    bodies.push(JSON.parse(body))
    if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter)
    response.writeHead(statuses.length > 1 ? statuses.shift()! : statuses[0]!, { location: `${url}/elsewhere` }).end()
  })
})
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/secret/path`

beforeEach(() => {
  bodies = []
  statuses = [200]
  retryAfter = undefined
})
afterAll(() => {
  receiver.close()
  rmSync(directory, { recursive: true })
})

const EVIL = '<@everyone> *x* "\u202e{address}'
const watched = (name = "A server"): Watched => {
  const group = [...planFor([{ name: "all", targets: ["192.0.2.1:27015"] }]).targets.values()][0]!
  const last = lastAnswer(1)
  const known = { ...unknown(), state: "up", stateAt: 1, queriedAt: 1 } as const
  return new Watched(1, "192.0.2.1:27015", { host: "192.0.2.1", port: 27_015 }, group, {
    ...known,
    last: { ...last, summary: { ...last.summary, name } }
  })
}

const change = { id: 5000, target: 1, at: 5, field: "map", from: "a", to: "b" } as const
const hook = (more: Partial<WebhookConfig> = {}): WebhookConfig => ({ name: "hook", url, allowLocal: true, ...more })
const around = (more: Partial<WebhookConfig> = {}, pageUrl?: string) => ({ hook: hook(more), pageUrl })

describe("a message", () => {
  const alert = (name?: string): Alert => ({ event: "map", change, target: watched(name), isWanted: true })

  it("contains a sentence, or a text that is created from a template", () => {
    expect(JSON.parse(formatBody(around(), [alert()]))).toMatchObject({
      alerts: [{ id: 5000, event: "map", address: "192.0.2.1:27015", text: "A server (192.0.2.1:27015): map a → b" }]
    })
    const template = "{event} {to} {players}/{maxPlayers} {nothing} {constructor}"
    expect(JSON.parse(formatBody(around({ template }), [alert()]))).toMatchObject({
      alerts: [{ text: "map b 26/32 {nothing} {constructor}" }]
    })
  })

  it("shortens a name of more than 100 characters", () => {
    const nameOf = (length: number): string => {
      const body = formatBody(around({ template: "{name}" }), [alert("x".repeat(length))])
      return (JSON.parse(body) as { alerts: [{ text: string }] }).alerts[0].text
    }
    expect(nameOf(100)).toBe("x".repeat(100))
    expect(nameOf(101)).toBe(`${"x".repeat(99)}…`)
  })

  it("contains the duration of the incident if the incident has ended, and otherwise an empty duration", () => {
    const template = "{name} {reason} after {duration}."
    const textFor = (incident: object | undefined): string => {
      const alert = { event: "up", change, target: watched(), isWanted: true, incident } as Alert
      return (JSON.parse(formatBody(around({ template }), [alert])) as { alerts: [{ text: string }] }).alerts[0].text
    }
    const incident = { from: 0, noticedAt: 9000, reason: "Timeout", message: "No reply.", isMuted: false }
    expect(textFor({ ...incident, to: 120_000 })).toBe("A server no reply after 2 min.")
    expect(textFor(incident)).toBe("A server no reply after .")
    expect(textFor(undefined)).toBe("A server unknown reason after .")
  })

  it("reports that locations disagree, and that they agree again", () => {
    const events = ["disagreement"] as const
    const formatText = (from: string, to: string): string => {
      const alert = makeAlert(hook({ events }), { ...change, field: "disagreement", from, to }, watched())!
      return (JSON.parse(formatBody(around(), [alert])) as { alerts: [{ text: string }] }).alerts[0].text
    }
    expect(formatText("", "eu: up, us: down")).toBe(
      "A server (192.0.2.1:27015): locations report different states: eu: up, us: down"
    )
    expect(formatText("eu: up, us: down", "")).toBe(
      "A server (192.0.2.1:27015): all locations report the same state again"
    )
  })

  it("reports a strong finding, and its end", () => {
    const formatText = (from: string, to: string): string => {
      const alert = makeAlert(hook({ events: ["finding"] }), { ...change, field: "finding", from, to }, watched())!
      return (JSON.parse(formatBody(around(), [alert])) as { alerts: [{ text: string }] }).alerts[0].text
    }
    expect(formatText("", "redirect")).toBe("A server (192.0.2.1:27015) has a new strong finding: redirect")
    expect(formatText("redirect", "")).toBe("A server (192.0.2.1:27015) no longer has the strong finding redirect")
  })

  it("mentions no user, and shows the texts of a server without formatting", () => {
    const discord = JSON.parse(formatBody(around({ format: "discord" }), [alert(EVIL)])) as { content: string }
    expect(discord).toMatchObject({ allowed_mentions: { parse: [] } })
    expect(discord.content).toContain('<\\@everyone\\> \\*x\\* "�{address}')
    const slack = JSON.parse(formatBody(around({ format: "slack" }), [alert(EVIL)])) as { text: string }
    expect(slack.text).toContain("&lt;@everyone&gt;")
    expect(slack).toMatchObject({ mrkdwn: false, blocks: [{ text: { type: "plain_text", emoji: false } }] })
  })

  it.each(["discord", "slack"] as const)(
    "in the format %s has a limited length even if names are long, and further messages contain the other alerts",
    (format) => {
      const many = Array.from({ length: 40 }, (_, i) => alert(`${i}!`.padEnd(i === 7 ? 1900 : 60, "*")))
      const texts: Array<string> = []
      for (let rest: ReadonlyArray<Alert> = many; rest.length > 0;) {
        const some = rest.slice(0, fitting(around({ format }), rest))
        const body = JSON.parse(formatBody(around({ format }), some)) as { content?: string; text?: string }
        texts.push(body.content ?? body.text!)
        rest = rest.slice(some.length)
      }
      for (const text of texts) expect(text.length).toBeLessThanOrEqual(format === "discord" ? 2000 : 3000)
      const lines = texts.flatMap((text) => text.split("\n"))
      expect(lines).toHaveLength(40)
      for (const [i, line] of lines.entries()) {
        expect(line.startsWith(`${i}!`)).toBe(true)
        expect(line.endsWith("map a → b")).toBe(true)
      }
    }
  )

  it.each([
    [{}, { field: "map" }, undefined],
    [{}, { field: "state", to: "down" }, "down"],
    [{}, { field: "state", to: "up" }, "up"],
    [{ events: ["full"] }, { field: "full", to: "true" }, "full"],
    [{ events: ["full"] }, { field: "full", to: "false" }, undefined],
    [{ events: ["map"], groups: ["all"] }, { field: "map" }, "map"],
    [{ events: ["map"], groups: ["other"] }, { field: "map" }, undefined],
    [{ events: ["map"] }, { field: "joined" }, undefined],
    [{ events: ["down"] }, { field: "state", to: "up" }, undefined]
  ])("for the settings %j and the change %j has the event %s", (more, changed, event) => {
    const found = makeAlert(hook(more as object), { ...change, ...changed } as typeof change, watched())
    expect(found?.isWanted === true ? found.event : undefined).toBe(event)
  })

  const incident = {
    target: 1,
    address: "192.0.2.1:27015",
    group: "all",
    isWatched: true,
    from: 1000,
    noticedAt: 2000,
    reason: "PortClosed",
    message: "The port is closed.",
    isMuted: false
  }
  const ofState = (to: string, more: Partial<Alert> = {}): Alert => {
    const changed = { ...change, field: "state", from: "", to } as const
    return { event: to as "up", change: changed, target: watched(), isWanted: true, incident, ...more }
  }

  it("contains the reason, the duration and a link", () => {
    const [page, up] = ["https://monitor.example/", ofState("up", { incident: { ...incident, to: 3_661_000 } })]
    expect(JSON.parse(formatBody(around({}, page), [ofState("down"), up]))).toMatchObject({
      alerts: [
        { event: "down", reason: "PortClosed", text: "A server (192.0.2.1:27015) is down: the port is closed" },
        {
          event: "up",
          durationMs: 3_660_000,
          text: "A server (192.0.2.1:27015) is up again after 1 h 1 min",
          url: `${page}#/server/1`
        }
      ]
    })
    const template = "{name} {reason} {duration} <{url}>"
    const discord = JSON.parse(formatBody(around({ format: "discord", template }, page), [up])) as { content: string }
    expect(discord.content).toBe(`A server the port is closed 1 h 1 min <${page}#/server/1>`)
    expect([500, 61_000, 90_000_000].map(durationText)).toEqual(["1 s", "1 min", "1 d 1 h"])
  })

  it("combines servers of the same group that are down for the same reason, and no other servers", () => {
    const servers = Array.from({ length: 3412 }, (_, id) => {
      const target = watched()
      return ofState("down", {
        target: Object.assign(target, { id, address: `192.0.2.1:${id + 1}` }),
        change: { ...ofState("down").change, id, target: id }
      })
    })
    const silent = (some: ReadonlyArray<Alert>): ReadonlyArray<Alert> =>
      some.map((alert) => ({ ...alert, incident: { ...incident, reason: "Timeout" } }))
    const messages = combine([
      ...servers.slice(0, 3400),
      ...silent(servers.slice(3400)),
      ...silent(servers.slice(0, 1))
    ])
    expect(messages.filter(isSummary)).toHaveLength(2)
    const { alerts } = JSON.parse(formatBody(around(), messages)) as {
      alerts: ReadonlyArray<SentAlert & { addresses: Array<string> }>
    }
    expect(alerts).toMatchObject([
      { kind: "summary", count: 3400, text: "3,400 servers of all are down: the port is closed", reason: "PortClosed" },
      { kind: "summary", count: 13, text: "13 servers of all are down: no reply", reason: "Timeout" }
    ])
    expect(alerts[0]!.addresses).toHaveLength(100)
    // Four servers are too few for a summary, even if each server has several alerts.
    expect(combine([...servers.slice(0, 4), ...servers.slice(0, 4)]).filter(isSummary)).toEqual([])
    const others = servers.slice(0, 3).map((alert) => ({ ...alert, event: "up" as const }))
    expect(combine([...servers.slice(3, 7), ...others]).filter(isSummary)).toEqual([])
  })

  describe("a summary of five servers", () => {
    const alerts = (make: (id: number) => Alert): ReadonlyArray<Alert> =>
      Array.from({ length: 5 }, (_, id) => {
        const alert = make(id)
        return { ...alert, target: Object.assign(alert.target, { id }) }
      })
    const countSummaries = (make: (id: number) => Alert): number => combine(alerts(make)).filter(isSummary).length

    it("does not replace changes of the map", () =>
      expect(countSummaries(() => ({ event: "map", change, target: watched(), isWanted: true }))).toBe(0))

    it("does not replace alerts of servers that are down for different reasons", () => {
      const reasonOf = (id: number) => ({ ...incident, reason: id < 3 ? "Timeout" : "PortClosed" })
      expect(countSummaries((id) => ofState("down", { target: watched(), incident: reasonOf(id) }))).toBe(0)
      // Alerts about servers that are up again are combined even if the reasons of their incidents differ.
      expect(countSummaries((id) => ofState("up", { target: watched(), incident: reasonOf(id) }))).toBe(1)
    })

    it("does not combine an alert of the kind `flapping` and the group `a` with an alert of the group `flappinga`", () => {
      const ofGroup = (name: string, more: Partial<Alert>): Alert => {
        const target = watched()
        return ofState("up", { target: Object.assign(target, { group: { ...target.group, name } }), ...more })
      }
      expect(countSummaries((id) => (id < 3 ? ofGroup("a", { kind: "flapping" }) : ofGroup("flappinga", {})))).toBe(0)
    })
  })

  it("describes a server as flapping after three changes of state if each pause between these changes is shorter than ten minutes", () => {
    const at = (minutes: number) => ({ ...ofState("down").change, at: minutes * 60_000 })
    expect(judgeSteadiness(at(60), [])).toBe("steady")
    expect(judgeSteadiness(at(60), [at(55), at(40)])).toBe("steady")
    expect(judgeSteadiness(at(60), [at(55), at(46), at(30)])).toBe("flapping")
    expect(judgeSteadiness(at(60), [at(55), at(46), at(40)])).toBe("stillFlapping")
    expect(judgeSteadiness(at(60), [at(50), at(46), at(40)])).toBe("steady")
  })
})

/** Lets virtual time pass for the servers in memory, and real time for the requests to the receiver. */
const passing = (lab: Lab, seconds: number) =>
  Effect.gen(function* () {
    for (let second = 0; second < seconds; second++) {
      yield* lab.pass(1)
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
    }
  })
const sentEvents = () => bodies.flatMap(({ alerts }) => alerts.map(({ event }) => event))
const fast = { intervalMs: 1000, downAfter: 2, timeoutMs: 200 }
const start = Effect.fnUntraced(function* (
  lab: Lab,
  config: WebhookConfig,
  groups: (typeof MonitorConfig.Type)["groups"] = [{ name: "all", targets: ["127.0.0.1:27015"], ...fast }]
) {
  const running = yield* lab.watch(planFor({ groups, webhooks: [config] }))
  const services = Context.make(Monitor, running.monitor).pipe(Context.add(Store, running.store))
  const onEvent = (event: MonitorEvent): void => void lab.events.push(event)
  yield* runWebhooks(onEvent).pipe(Effect.provideContext(services))
  return running
})
const events = (lab: Lab) => lab.events.flatMap(({ event, message }) => (event === "webhook" ? [message] : []))

describe("a webhook", () => {
  it.effect("receives each change once, even after a restart of the monitor", () =>
    inLab(join(directory, "once.db"), (lab) =>
      Effect.gen(function* () {
        const { stop } = yield* lab.serve(27_015)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const running = yield* start(lab, hook())
            yield* passing(lab, 4)
            yield* stop
            while (sentEvents().length === 0) yield* passing(lab, 1)
            yield* passing(lab, 3)
            yield* running.stop
          })
        )
        yield* start(lab, hook())
        yield* passing(lab, 5)
        assert.deepStrictEqual(sentEvents(), ["down"])
        yield* lab.serve(27_015)
        while (sentEvents().length === 1) yield* passing(lab, 1)
        assert.deepStrictEqual(sentEvents(), ["down", "up"])
        assert.deepStrictEqual(events(lab), [])
      })
    )
  )

  it.effect("receives no alerts about a muted server, except if the server is still down when the mute ends", () =>
    inLab(join(directory, "muted.db"), (lab) =>
      Effect.gen(function* () {
        const { stop } = yield* lab.serve(27_015)
        const { monitor } = yield* start(lab, hook())
        yield* passing(lab, 4)
        const mute = { kind: "group", what: "all", from: 0, until: undefined, note: "" } as const
        const id = yield* monitor.mute(mute)
        yield* stop
        yield* passing(lab, 8)
        assert.strictEqual(monitor.find("127.0.0.1:27015")!.known.state, "down")
        assert.deepStrictEqual(sentEvents(), [])
        yield* monitor.unmute(id)
        while (sentEvents().length === 0) yield* passing(lab, 1)
        yield* passing(lab, 5)
        assert.deepStrictEqual(sentEvents(), ["down"])
      })
    )
  )

  it.effect("receives a request again after a temporary error, but not after it has rejected the request", () =>
    inLab(join(directory, "again.db"), (lab) =>
      Effect.gen(function* () {
        statuses = [500, 429, 404, 200]
        const { stop } = yield* lab.serve(27_015)
        yield* start(lab, hook({ perMinute: 600 }))
        yield* passing(lab, 4)
        yield* stop
        while (bodies.length < 3) yield* passing(lab, 1)
        yield* lab.serve(27_015)
        while (sentEvents().length < 4) yield* passing(lab, 1)
        assert.deepStrictEqual(sentEvents(), ["down", "down", "down", "up"])
        assert.deepStrictEqual(
          events(lab),
          [500, 429, 404].map((status) => `webhook hook did not accept alerts: status ${status}`)
        )
        assert.notInclude(JSON.stringify(lab.events), "secret")
      })
    )
  )

  it.effect("receives no request before the time in the Retry-After header of the last reply", () =>
    inLab(join(directory, "retryAfter.db"), (lab) =>
      Effect.gen(function* () {
        statuses = [429, 200]
        retryAfter = "60"
        const { stop } = yield* lab.serve(27_015)
        yield* start(lab, hook())
        yield* passing(lab, 4)
        yield* stop
        while (bodies.length === 0) yield* passing(lab, 1)
        // Without the Retry-After header, the second attempt would follow after 2 s.
        yield* passing(lab, 55)
        assert.lengthOf(bodies, 1)
        while (bodies.length === 1) yield* passing(lab, 1)
        assert.deepStrictEqual(sentEvents(), ["down", "down"])
      })
    )
  )

  it.effect("receives each alert once if two instances send alerts at the same time", () =>
    inLab(join(directory, "two.db"), (lab) =>
      Effect.gen(function* () {
        const passHalves = Effect.fnUntraced(function* (halves: number) {
          for (let half = 0; half < halves; half++) {
            yield* lab.pass(0.5, 0.5)
            yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
          }
        })
        const server = yield* lab.serve(27_015)
        const config = hook({ perMinute: 600 })
        const plan = planFor({ groups: [{ name: "all", targets: ["127.0.0.1:27015"], ...fast }], webhooks: [config] })
        /** Starts an instance. Only the first instance queries the server. */
        const startInstance = Effect.fnUntraced(function* (owner: string, slices: ReadonlyArray<number>) {
          const { monitor, store } = yield* lab.watch(plan, {
            owner,
            isShared: true,
            assignTo: ({ take }) => take(slices)
          })
          const services = Context.make(Monitor, monitor).pipe(Context.add(Store, store))
          yield* runWebhooks((event) => void lab.events.push(event)).pipe(Effect.provideContext(services))
          return monitor
        })
        const monitor = yield* startInstance("one", ALL_SLICES)
        yield* passHalves(1)
        yield* startInstance("two", [])
        yield* passHalves(10)
        assert.strictEqual(monitor.find("127.0.0.1:27015")!.known.state, "up")
        yield* server.stop
        while (sentEvents().length === 0) yield* passHalves(1)
        yield* passHalves(10)
        assert.deepStrictEqual(sentEvents(), ["down"])
        yield* lab.serve(27_015)
        while (sentEvents().length === 1) yield* passHalves(1)
        yield* passHalves(10)
        assert.deepStrictEqual(sentEvents(), ["down", "up"])
      })
    )
  )

  it.effect("receives a delayed alert after the file with the URL is corrected", () =>
    inLab(join(directory, "url.db"), (lab) =>
      Effect.gen(function* () {
        const urlFile = join(directory, "url")
        writeFileSync(urlFile, "not a URL")
        const { url: _, ...others } = hook({ perMinute: 600 })
        const { stop } = yield* lab.serve(27_015)
        yield* start(lab, { ...others, urlFile })
        yield* passing(lab, 4)
        yield* stop
        while (events(lab).length === 0) yield* passing(lab, 1)
        assert.deepStrictEqual(events(lab), [`webhook hook did not accept alerts: ${urlFile} does not contain a URL`])
        writeFileSync(urlFile, `${url}\n`)
        while (sentEvents().length === 0) yield* passing(lab, 1)
        assert.deepStrictEqual(sentEvents(), ["down"])
      })
    )
  )
})

describe("many alerts", () => {
  const addressesFrom = (port: number, count: number) =>
    Array.from({ length: count }, (_, i) => `127.0.0.1:${port + i}`)
  const parsePort = (address: string): number => Number(address.split(":")[1])
  const texts = () => bodies.flatMap(({ alerts }) => alerts.map(({ text }) => text))

  it.effect("are combined into one alert per group at the start and at the end of an outage", () =>
    inLab(join(directory, "outage.db"), (lab) =>
      Effect.gen(function* () {
        const [eu, us] = [addressesFrom(27_000, 12), addressesFrom(28_000, 2)]
        const serveAll = Effect.forEach([...eu, ...us], (address) => lab.serve(parsePort(address)))
        const before = yield* serveAll
        const groups = [
          { name: "eu", targets: eu, intervalMs: 5000, downAfter: 2, timeoutMs: 200 },
          { name: "us", targets: us, intervalMs: 5000, downAfter: 2, timeoutMs: 200 }
        ]
        const { monitor } = yield* start(lab, hook({ perMinute: 600 }), groups)
        const all = (state: string) => () => [...monitor.targets.values()].every(({ known }) => known.state === state)
        while (!all("up")()) yield* passing(lab, 1)
        yield* Effect.forEach(before, ({ stop }) => stop)
        while (!all("down")()) yield* passing(lab, 1)
        yield* passing(lab, 15)
        assert.sameMembers(texts(), [
          "12 servers of eu are down: no reply",
          ...us.map((address) => `Sourcewire Emulator | de_dust2 24/7 | 66 tick (${address}) is down: no reply`)
        ])
        bodies = []
        yield* serveAll
        while (!all("up")()) yield* passing(lab, 1)
        yield* passing(lab, 15)
        assert.lengthOf(texts(), 3)
        assert.include(texts(), "12 servers of eu are up again")
      })
    )
  )

  it.effect(
    "are combined into two messages per outage if the receiver is a chat: one at the start and one at the end",
    () =>
      inLab(join(directory, "discord.db"), (lab) =>
        Effect.gen(function* () {
          const targets = addressesFrom(27_000, 5)
          const serveAll = Effect.forEach(targets, (address) => lab.serve(parsePort(address)))
          const before = yield* serveAll
          const config = hook({ format: "discord", perMinute: 600, waitMs: 10_000 })
          const { monitor } = yield* start(lab, config, [{ name: "eu", targets, ...fast, downIntervalMs: 1000 }])
          const all = (state: string) => () => [...monitor.targets.values()].every(({ known }) => known.state === state)
          while (!all("up")()) yield* passing(lab, 1)
          yield* Effect.forEach(before, ({ stop }) => stop)
          while (bodies.length === 0) yield* passing(lab, 1)
          yield* serveAll
          while (bodies.length === 1) yield* passing(lab, 1)
          assert.deepStrictEqual(
            (bodies as ReadonlyArray<object>).map((body) => (body as { content: string }).content),
            ["5 servers of eu are down: no reply", "5 servers of eu are up again"]
          )
        })
      )
  )

  it.effect(
    "about a flapping server are replaced by one alert, and another alert follows when the server is stable",
    () =>
      inLab(join(directory, "flapping.db"), (lab) =>
        Effect.gen(function* () {
          const config = hook({ perMinute: 600, events: ["down"] })
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { monitor, stop: stopMonitor } = yield* start(lab, config)
              const readState = (): string => monitor.find("127.0.0.1:27015")!.known.state
              for (let time = 0; time < 6; time++) {
                const { stop } = yield* lab.serve(27_015)
                while (readState() !== "up") yield* passing(lab, 1)
                yield* passing(lab, 5)
                yield* stop
                while (readState() !== "down") yield* passing(lab, 1)
                yield* passing(lab, 5)
              }
              yield* stopMonitor
            })
          )
          const kinds = () => bodies.flatMap(({ alerts }) => alerts.map(({ event, kind }) => [event, kind]))
          const expected = [
            ["down", undefined],
            ["down", "flapping"]
          ]
          assert.deepStrictEqual(kinds(), expected)
          // After the restart, the monitor reads from the store that the server was flapping.
          yield* start(lab, config)
          yield* lab.pass(STABLE_MS / 1000 - 20, 5)
          assert.deepStrictEqual(kinds(), expected)
          yield* passing(lab, 40)
          assert.deepStrictEqual(kinds(), [...expected, ["down", "stable"]])
        })
      )
  )

  it.effect("are not sent if another instance has sent them already", () =>
    inLab(join(directory, "fenced.db"), (lab) =>
      Effect.gen(function* () {
        const addresses = addressesFrom(27_000, 6)
        const before = yield* Effect.forEach(addresses, (address) => lab.serve(parsePort(address)))
        const groups = [{ name: "all", targets: addresses, ...fast }]
        const { monitor, store } = yield* start(lab, hook({ waitMs: 30_000 }), groups)
        const all = (state: string) => () => [...monitor.targets.values()].every(({ known }) => known.state === state)
        while (!all("up")()) yield* passing(lab, 1)
        yield* Effect.forEach(before, ({ stop }) => stop)
        while (!all("down")()) yield* passing(lab, 1)
        yield* passing(lab, 3)
        // The store now contains the number of the last change, as if another instance had sent all alerts
        // while this instance could not reach the store.
        const other = Context.get(yield* Layer.build(open(join(directory, "fenced.db"))), Store)
        const [newest] = yield* store.changes({ limit: 1 })
        const moved = { known: [], changes: [], hours: [], incidents: [], positions: new Map([["hook", newest!.id]]) }
        yield* other.write(moved)
        yield* passing(lab, 40)
        assert.deepStrictEqual(bodies, [])
        assert.strictEqual(yield* store.webhookPosition("hook"), newest!.id)
      })
    )
  )
})

describe.each(["pagerduty", "alertmanager"] as const)("incidents that the monitor reports to %s", (format) => {
  const tokenFile = join(directory, "token")
  writeFileSync(tokenFile, "token")
  const ports = Array.from({ length: 6 }, (_, i) => 27_000 + i)
  const targets = ports.map((port) => `127.0.0.1:${port}`)
  const config = hook({ format, tokenFile, perMinute: 600, waitMs: 10_000 })
  const groups = [{ name: "all", targets, ...fast, downIntervalMs: 1000 }]

  /**
   * Returns one text for each received request. The text is `+` if an incident starts, or `-` if it ends, and then the address or the group
   * of the incident.
   */
  const received = (): ReadonlyArray<string> =>
    (bodies as ReadonlyArray<unknown>).map((body) => {
      if (format === "pagerduty") {
        const { dedup_key, event_action } = body as { dedup_key: string; event_action: string }
        return `${event_action === "trigger" ? "+" : "-"}${dedup_key.split("/").at(-1)}`
      }
      const [{ endsAt, labels, startsAt }] = body as [
        { labels: Record<string, string>; startsAt: string; endsAt: string }
      ]
      assert.deepStrictEqual(labels, { ...labels, alertname: "GameServer_down", group: "all", severity: "critical" })
      assert.isAtLeast(Date.parse(endsAt), Date.parse(startsAt))
      return `${Date.parse(endsAt) - Date.parse(startsAt) > 86_400_000 ? "+" : "-"}${labels["instance"]}`
    })
  const listOpen = (): ReadonlyArray<string> => {
    const open = new Set<string>()
    for (const one of received()) {
      if (one.startsWith("+")) open.add(one.slice(1))
      else open.delete(one.slice(1))
    }
    return [...open]
  }
  const startUp = Effect.fnUntraced(function* (lab: Lab) {
    const servers = yield* Effect.forEach(ports, (port) => lab.serve(port))
    const running = yield* start(lab, config, groups)
    const reach = Effect.fnUntraced(function* (state: string, some: ReadonlyArray<string> = targets) {
      const isReached = (address: string): boolean => running.monitor.find(address)!.known.state === state
      while (!some.every(isReached)) yield* passing(lab, 1)
    })
    yield* reach("up")
    return { ...running, servers, reach }
  })

  it.effect("end if the servers go down together and recover one by one", () =>
    inLab(join(directory, `${format}-together.db`), (lab) =>
      Effect.gen(function* () {
        const { reach, servers } = yield* startUp(lab)
        // This server has an incident of its own, so the group's incident can end although this server is still down.
        const [other, ...together] = servers
        yield* other!.stop
        while (listOpen().length === 0) yield* passing(lab, 1)
        yield* Effect.forEach(together, ({ stop }) => stop)
        while (listOpen().length === 1) yield* passing(lab, 1)
        const begun = [`+${targets[0]}`, "+all"]
        for (const [index, port] of ports.entries()) {
          if (index === 0) continue
          assert.deepStrictEqual(received(), begun, `before ${port} is up`)
          yield* lab.serve(port)
          yield* reach("up", [targets[index]!])
          if (index < 5) yield* passing(lab, 15)
        }
        while (received().length === 2) yield* passing(lab, 1)
        assert.deepStrictEqual(received(), [...begun, "-all"])
        yield* lab.serve(ports[0]!)
        while (listOpen().length > 0) yield* passing(lab, 1)
      })
    )
  )

  it.effect("end if the servers go down one by one and recover together", () =>
    inLab(join(directory, `${format}-single.db`), (lab) =>
      Effect.gen(function* () {
        const { servers } = yield* startUp(lab)
        for (const [index, { stop }] of servers.entries()) {
          yield* stop
          while (listOpen().length === index) yield* passing(lab, 1)
        }
        assert.deepStrictEqual(listOpen(), targets)
        yield* Effect.forEach(ports, (port) => lab.serve(port))
        while (listOpen().length > 0) yield* passing(lab, 1)
      })
    )
  )

  it.effect("end even if the monitor is restarted before the servers recover", () =>
    inLab(join(directory, `${format}-restart.db`), (lab) =>
      Effect.gen(function* () {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { servers, stop: stopMonitor } = yield* startUp(lab)
            yield* servers[0]!.stop
            while (listOpen().length === 0) yield* passing(lab, 1)
            yield* Effect.forEach(servers.slice(1), ({ stop }) => stop)
            while (listOpen().length === 1) yield* passing(lab, 1)
            assert.deepStrictEqual(listOpen(), [targets[0]!, "all"])
            yield* stopMonitor
          })
        )
        const { monitor } = yield* start(lab, config, groups)
        // The monitor sends no alert when a muted server recovers. Even so, the monitor must report that the
        // incident of the group has ended.
        yield* monitor.mute({ kind: "server", what: targets[5]!, from: 0, until: undefined, note: "" })
        yield* Effect.forEach(ports.slice(0, 5), (port) => lab.serve(port))
        while (listOpen().length > 0) yield* passing(lab, 1)
        const ended = new Set<string>()
        while (ended.size < 6) {
          yield* passing(lab, 1)
          for (const one of received().slice(2)) ended.add(one)
        }
        assert.sameMembers([...ended], [...targets.slice(0, 5).map((address) => `-${address}`), "-all"])
      })
    )
  )
})

describe("a request to a webhook", () => {
  it.live("is sent to a local address only if `allowLocal` is set, follows no redirect, and reveals no secret", () =>
    Effect.gen(function* () {
      for (const status of [200, 307]) {
        statuses = [status]
        assert.deepInclude(yield* post(around(), []), { status })
      }
      assert.lengthOf(bodies, 2)
      for (const local of [
        url,
        "http://localhost:1/x",
        "http://[::1]:1/x",
        "http://169.254.169.254/latest",
        "http://0.0.0.0/"
      ]) {
        const refused = yield* post(around({ url: local, allowLocal: false }), [])
        assert.strictEqual(refused.status, 0)
        assert.match(refused.message, /is an address of a local or reserved network/)
      }
      const closed = yield* post(around({ url: "http://127.0.0.1:1/secret" }), [])
      assert.deepInclude(closed, { status: 0, message: "127.0.0.1: the connection was refused" })
    })
  )
})

describe("a badge", () => {
  it("shows a hostile name as text", () => {
    const svg = renderBadge(watched('</title><script>"&'))
    expect(svg).not.toContain("<script>")
    expect(svg).toContain("&#60;script&#62;")
    expect(svg).toContain("26/32 de_dust2")
    expect(svg.match(/<(\w+)/g)!.toSorted()).toEqual(["<g", "<path", "<rect", "<svg", "<text", "<text", "<title"])
  })
})
