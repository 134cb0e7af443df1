/** What webhooks are told: over a real socket of loopback, about game servers in memory. */
import { assert, describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { afterAll, beforeEach } from "vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Alert, alertOf, bodyOf } from "../src/alerts/message.ts"

import { post, runWebhooks } from "../src/alerts/Webhooks.ts"
import type { WebhookConfig } from "../src/config/Config.ts"
import { badgeOf } from "../src/http/badge.ts"
import { Store } from "../src/store/Store.ts"
import { Monitor, type MonitorEvent } from "../src/watch/Monitor.ts"
import { Watched } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"
import { inLab, type Lab, planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-webhooks-"))

/** What came, and what is answered to it, the last one from then on. */
let bodies: Array<{ readonly alerts: ReadonlyArray<{ readonly event: string; readonly text: string }> }> = []
let statuses: Array<number> = []
const receiver = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
  request.on("end", () => {
    bodies.push(JSON.parse(body))
    response.writeHead(statuses.length > 1 ? statuses.shift()! : statuses[0]!, { location: `${url}/elsewhere` }).end()
  })
})
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/secret/path`

beforeEach(() => {
  bodies = []
  statuses = [200]
})
afterAll(() => {
  receiver.close()
  rmSync(directory, { recursive: true })
})

const EVIL = '<@everyone> *x* "\u202e{address}'
const watched = (name = "A server"): Watched => {
  const group = [...planFor([{ name: "all", targets: ["192.0.2.1:27015"] }]).targets.values()][0]!
  const last = lastAnswer(1)
  const known = { state: "up", stateAt: 1, failures: 0, askedAt: 1, trouble: undefined, hour: undefined } as const
  return new Watched(1, "192.0.2.1:27015", { host: "192.0.2.1", port: 27_015 }, group, {
    ...known,
    last: { ...last, summary: { ...last.summary, name } }
  })
}

const change = { id: 5000, target: 1, at: 5, field: "map", from: "a", to: "b" } as const
const hook = (more: Partial<WebhookConfig> = {}): WebhookConfig => ({ name: "hook", url, allowLocal: true, ...more })

describe("a message", () => {
  const alert = (name?: string): Alert => ({ event: "map", change, target: watched(name) })

  it("is a sentence, or what a template says", () => {
    expect(JSON.parse(bodyOf(hook(), [alert()]))).toMatchObject({
      alerts: [{ id: 5000, event: "map", address: "192.0.2.1:27015", text: "A server (192.0.2.1:27015): map a → b" }]
    })
    const template = "{event} {to} {players}/{maxPlayers} {nothing} {constructor}"
    expect(JSON.parse(bodyOf(hook({ template }), [alert()]))).toMatchObject({
      alerts: [{ text: "map b 26/32 {nothing} {constructor}" }]
    })
  })

  it("tells where locations do not agree, and that they agree again", () => {
    const events = ["disagreement"] as const
    const textOf = (from: string, to: string): string => {
      const told = alertOf(hook({ events }), { ...change, field: "disagreement", from, to }, watched())!
      return (JSON.parse(bodyOf(hook(), [told])) as { alerts: [{ text: string }] }).alerts[0].text
    }
    expect(textOf("", "eu: up, us: down")).toBe(
      "A server (192.0.2.1:27015) is not the same from everywhere: eu: up, us: down"
    )
    expect(textOf("eu: up, us: down", "")).toBe("A server (192.0.2.1:27015) is the same from everywhere again")
  })

  it("rings nobody up, and formats nothing that a stranger wrote", () => {
    const discord = JSON.parse(bodyOf(hook({ format: "discord" }), [alert(EVIL)])) as { content: string }
    expect(discord).toMatchObject({ allowed_mentions: { parse: [] } })
    expect(discord.content).toContain('<\\@everyone\\> \\*x\\* "�{address}')
    const slack = JSON.parse(bodyOf(hook({ format: "slack" }), [alert(EVIL)])) as { text: string }
    expect(slack.text).toContain("&lt;@everyone&gt;")
    const many = Array.from({ length: 20 }, () => alert("x".repeat(200)))
    expect((JSON.parse(bodyOf(hook({ format: "discord" }), many)) as { content: string }).content).toHaveLength(2000)
  })

  it.each([
    [{}, { field: "map" }, undefined],
    [{}, { field: "state", to: "down" }, "down"],
    [{}, { field: "state", to: "up" }, "up"],
    [{ events: ["full"] }, { field: "full", to: "true" }, "full"],
    [{ events: ["full"] }, { field: "full", to: "false" }, undefined],
    [{ events: ["map"], groups: ["all"] }, { field: "map" }, "map"],
    [{ events: ["map"], groups: ["other"] }, { field: "map" }, undefined],
    [{ events: ["map"] }, { field: "joined" }, undefined]
  ])("is sent to %j of %j as %s", (more, changed, event) => {
    const { event: found } = alertOf(hook(more as object), { ...change, ...changed } as typeof change, watched()) ?? {}
    expect(found).toBe(event)
  })
})

describe("a webhook", () => {
  /** Lets time pass for the servers in memory, and for requests that are under way. */
  const passing = (lab: Lab, seconds: number) =>
    Effect.gen(function* () {
      for (let second = 0; second < seconds; second++) {
        yield* lab.pass(1)
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
      }
    })
  const told = () => bodies.flatMap(({ alerts }) => alerts.map(({ event }) => event))
  const start = Effect.fnUntraced(function* (lab: Lab, config: WebhookConfig) {
    const groups = [{ name: "all", targets: ["127.0.0.1:27015"], intervalMs: 1000, downAfter: 2, timeoutMs: 200 }]
    const running = yield* lab.watch(planFor({ groups, webhooks: [config] }))
    const services = Context.make(Monitor, running.monitor).pipe(Context.add(Store, running.store))
    const onEvent = (event: MonitorEvent): void => void lab.events.push(event)
    yield* runWebhooks(onEvent).pipe(Effect.provideContext(services))
    return running
  })
  const events = (lab: Lab) => lab.events.flatMap(({ event, message }) => (event === "webhook" ? [message] : []))

  it.effect("is told once, also after a restart", () =>
    inLab(join(directory, "once.db"), (lab) =>
      Effect.gen(function* () {
        const { stop } = yield* lab.serve(27_015)
        yield* Effect.scoped(
          Effect.gen(function* () {
            const running = yield* start(lab, hook())
            yield* passing(lab, 4)
            yield* stop
            while (told().length === 0) yield* passing(lab, 1)
            yield* passing(lab, 3)
            yield* running.stop
          })
        )
        yield* start(lab, hook())
        yield* passing(lab, 5)
        assert.deepStrictEqual(told(), ["down"])
        yield* lab.serve(27_015)
        while (told().length === 1) yield* passing(lab, 1)
        assert.deepStrictEqual(told(), ["down", "up"])
        assert.deepStrictEqual(events(lab), [])
      })
    )
  )

  it.effect("that fails is told again, and one that refuses is not", () =>
    inLab(join(directory, "again.db"), (lab) =>
      Effect.gen(function* () {
        statuses = [500, 429, 404, 200]
        const { stop } = yield* lab.serve(27_015)
        yield* start(lab, hook({ perMinute: 600 }))
        yield* passing(lab, 4)
        yield* stop
        while (bodies.length < 3) yield* passing(lab, 1)
        yield* lab.serve(27_015)
        while (told().length < 4) yield* passing(lab, 1)
        assert.deepStrictEqual(told(), ["down", "down", "down", "up"])
        assert.deepStrictEqual(
          events(lab),
          [500, 429, 404].map((status) => `webhook hook was not told: status ${status}`)
        )
        assert.notInclude(JSON.stringify(lab.events), "secret")
      })
    )
  )
})

describe("posting", () => {
  it.live("goes to no local address unless it may, follows no redirection, and says no secret", () =>
    Effect.gen(function* () {
      for (const status of [200, 307]) {
        statuses = [status]
        assert.deepInclude(yield* post({ url, allowLocal: true }, '{"alerts":[]}'), { status })
      }
      assert.lengthOf(bodies, 2)
      for (const local of [
        url,
        "http://localhost:1/x",
        "http://[::1]:1/x",
        "http://169.254.169.254/latest",
        "http://0.0.0.0/"
      ]) {
        const refused = yield* post({ url: local }, "{}")
        assert.strictEqual(refused.status, 0)
        assert.match(refused.message, /local network/)
      }
      const closed = yield* post({ url: "http://127.0.0.1:1/secret", allowLocal: true }, "{}")
      assert.deepInclude(closed, { status: 0, message: "127.0.0.1: ECONNREFUSED" })
    })
  )
})

describe("a badge", () => {
  it("shows a name that means ill as text", () => {
    const svg = badgeOf(watched('</title><script>"&'))
    expect(svg).not.toContain("<script>")
    expect(svg).toContain("&#60;script&#62;")
    expect(svg).toContain("26/32 de_dust2")
    expect(svg.match(/<(\w+)/g)!.toSorted()).toEqual(["<g", "<path", "<rect", "<svg", "<text", "<text", "<title"])
  })
})
