/**
 * Each test sends an alert to a real HTTP server, and compares the request with the request in the documentation of a receiver. The
 * receivers are ntfy
 * (publish as JSON), Gotify (`POST /message`), Telegram (`sendMessage`), Matrix (client-server API v3), PagerDuty (Events API v2), Opsgenie
 * (Alert API v2) and Alertmanager (`POST /api/v2/alerts`). The tests send no requests to the real receivers.
 */
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { declaredFormats } from "../src/alerts/formats.ts"
import type { Alert } from "../src/alerts/grouping.ts"
import { post, postTest } from "../src/alerts/Webhooks.ts"
import { MonitorConfig, makePlan, type WebhookConfig, mapPaths } from "../src/config/Config.ts"
import { unknown, Watched } from "../src/watch/Watched.ts"
import { lastAnswer } from "./answers.ts"
import { planFor } from "./lab.ts"

const directory = mkdtempSync(join(tmpdir(), "sourcewire-formats-"))
const TOKEN = "123:abc-DEF_token"
const tokenFile = join(directory, "token")
writeFileSync(tokenFile, `${TOKEN}\n`)

interface Sent {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
let sent: Array<Sent> = []
const receiver = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
  request.on("end", () => {
    sent.push({ method: request.method, path: request.url, headers: request.headers, body })
    response.writeHead(202).end()
  })
})
receiver.listen(0, "127.0.0.1")
await once(receiver, "listening")
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

beforeEach(() => void (sent = []))
afterAll(() => {
  receiver.close()
  rmSync(directory, { recursive: true })
})

const watched = (): Watched => {
  const plan = planFor([{ name: "eu west", targets: ["192.0.2.1:27015"], labels: { region: "eu" } }])
  const last = lastAnswer(1)
  return new Watched(7, "192.0.2.1:27015", { host: "192.0.2.1", port: 27_015 }, [...plan.targets.values()][0]!, {
    ...unknown(),
    last: { ...last, summary: { ...last.summary, name: 'Evil "*_@room' } }
  })
}

const AT = Date.UTC(2026, 10, 23, 12, 0, 0)
const alert = (event: "up" | "down" | "map"): Alert => ({
  event,
  change:
    event === "map"
      ? { id: 5001, target: 7, at: AT, field: "map", from: "a", to: "b" }
      : { id: 5000, target: 7, at: AT, field: "state", from: event === "up" ? "down" : "up", to: event },
  target: watched(),
  isWanted: true,
  incident: {
    target: 7,
    address: "192.0.2.1:27015",
    group: "eu west",
    isWatched: true,
    from: AT - 60_000,
    noticedAt: AT,
    ...(event === "up" ? { to: AT } : {}),
    reason: "Timeout",
    message: "no reply",
    isMuted: false
  }
})

const send = async (more: Partial<WebhookConfig>, ...alerts: ReadonlyArray<Alert>): Promise<Sent> => {
  const hook: WebhookConfig = { name: "hook", url: origin, allowLocal: true, ...more }
  const outcome = await Effect.runPromise(post({ hook, pageUrl: "https://monitor.example/" }, alerts))
  expect(outcome.status).toBe(202)
  return sent.at(-1)!
}

const DOWN = 'Evil "*_@room (192.0.2.1:27015) is down: no reply'
const UP = 'Evil "*_@room (192.0.2.1:27015) is up again after 1 min'
const LINK = "https://monitor.example/#/server/7"
const details = expect.objectContaining({ region: "eu", map: "de_dust2", reason: "no reply" })

/**
 * For each format: the settings of the webhook, and the documented request for a server that goes down. If the format has a request for the
 * end of an incident, the third element is this request.
 */
const documented: Readonly<
  Record<(typeof declaredFormats)[number], readonly [Partial<WebhookConfig>, object, object?]>
> = {
  ntfy: [
    { url: `${origin}/my-topic`, tokenFile },
    {
      method: "POST",
      path: "/",
      authorization: `Bearer ${TOKEN}`,
      json: {
        topic: "my-topic",
        title: "eu west: down",
        message: DOWN,
        priority: 4,
        tags: ["rotating_light"],
        click: LINK
      }
    }
  ],
  gotify: [
    { url: `${origin}/message`, tokenFile },
    {
      method: "POST",
      path: "/message",
      "x-gotify-key": TOKEN,
      json: { title: "eu west: down", message: DOWN, priority: 4 }
    }
  ],
  telegram: [
    { tokenFile, to: "-100123" },
    {
      method: "POST",
      path: `/bot${TOKEN}/sendMessage`,
      json: { chat_id: "-100123", text: DOWN, link_preview_options: { is_disabled: true } }
    }
  ],
  matrix: [
    { tokenFile, to: "!room:example.org" },
    {
      method: "PUT",
      path: "/_matrix/client/v3/rooms/!room:example.org/send/m.room.message/sourcewire-hook-5000-1",
      authorization: `Bearer ${TOKEN}`,
      json: { msgtype: "m.notice", body: DOWN, "m.mentions": {} }
    }
  ],
  pagerduty: [
    { url: `${origin}/v2/enqueue`, tokenFile },
    {
      method: "POST",
      path: "/v2/enqueue",
      json: {
        routing_key: TOKEN,
        event_action: "trigger",
        dedup_key: "sourcewire/down/server/192.0.2.1:27015",
        client: "Sourcewire",
        client_url: LINK,
        payload: {
          summary: DOWN,
          source: "192.0.2.1:27015",
          severity: "critical",
          timestamp: "2026-11-23T12:00:00.000Z",
          group: "eu west",
          class: "down",
          custom_details: details
        }
      }
    },
    {
      method: "POST",
      path: "/v2/enqueue",
      json: { routing_key: TOKEN, event_action: "resolve", dedup_key: "sourcewire/down/server/192.0.2.1:27015" }
    }
  ],
  opsgenie: [
    { url: `${origin}/v2/alerts`, tokenFile },
    {
      method: "POST",
      path: "/v2/alerts",
      authorization: `GenieKey ${TOKEN}`,
      json: {
        message: DOWN,
        alias: "sourcewire/down/server/192.0.2.1:27015",
        entity: "192.0.2.1:27015",
        source: "Sourcewire",
        priority: "P2",
        tags: ["down", "eu west"],
        details
      }
    },
    {
      method: "POST",
      path: "/v2/alerts/sourcewire%2Fdown%2Fserver%2F192.0.2.1:27015/close?identifierType=alias",
      authorization: `GenieKey ${TOKEN}`,
      json: { source: "Sourcewire", note: UP }
    }
  ],
  alertmanager: [
    { url: `${origin}/api/v2/alerts` },
    {
      method: "POST",
      path: "/api/v2/alerts",
      json: [
        {
          labels: { alertname: "GameServer_down", instance: "192.0.2.1:27015", group: "eu west", severity: "critical" },
          annotations: { summary: DOWN },
          startsAt: "2026-11-23T12:00:00.000Z",
          endsAt: "2026-12-23T12:00:00.000Z",
          generatorURL: LINK
        }
      ]
    },
    {
      method: "POST",
      path: "/api/v2/alerts",
      json: [
        {
          labels: { alertname: "GameServer_down", instance: "192.0.2.1:27015", group: "eu west", severity: "critical" },
          annotations: { summary: UP },
          startsAt: "2026-11-23T11:59:00.000Z",
          endsAt: "2026-11-23T12:00:00.000Z"
        }
      ]
    }
  ]
}

const shown = ({ body, headers, method, path }: Sent, expected: object): object => ({
  method,
  path,
  ...Object.fromEntries(
    ["authorization", "x-gotify-key"].flatMap((name) => (name in expected ? [[name, headers[name]]] : []))
  ),
  json: JSON.parse(body) as unknown
})

describe.each(declaredFormats)("a webhook with the format %s", (format) => {
  const [hook, down, up] = documented[format]

  it("sends the documented request", async () => {
    const request = await send({ format, ...hook }, alert("down"))
    expect(request.headers["content-type"]).toBe("application/json")
    expect(shown(request, down)).toEqual(down)
  })

  it.runIf(up !== undefined)(
    "sends the documented request for the end of the incident when the server is up again",
    async () => {
      expect(shown(await send({ format, ...hook }, alert("up")), up!)).toEqual(up)
    }
  )

  it("sends a test message", async () => {
    const around = { hook: { name: "hook", url: origin, allowLocal: true, format, ...hook }, pageUrl: undefined }
    expect((await Effect.runPromise(postTest(around, AT))).status).toBe(202)
    const { body, path } = sent.at(-1)!
    expect(body).toContain("Test message of the Sourcewire monitor")
    expect(`${path} ${body}`).not.toMatch(/\{\w+\}|undefined|\[object/)
  })

  it("reports a change of the map, and replaces all placeholders in the request", async () => {
    const { body, path } = await send({ format, ...hook }, alert("map"))
    expect(body).toContain("map a → b")
    expect(`${path} ${body}`).not.toMatch(/\{\w+\}|undefined|\[object/)
  })
})

describe("long texts", () => {
  it.each(declaredFormats)("are never truncated within a character (format: %s)", async (format) => {
    const names = ["", "a"].map((start) => `${start}${"😀".repeat(200)}`)
    for (const name of names) {
      const { last } = alert("down").target.known
      const target = watched()
      Object.assign(target.known, { last: { ...last, summary: { ...last!.summary, name } } })
      const [hook] = documented[format]
      const { body } = await send({ format, ...hook, template: "{name} {name}" }, { ...alert("down"), target })
      expect(body).not.toMatch(/\\ud[89ab]/)
    }
  })
})

describe("the details of an alert", () => {
  it("contain no empty values", async () => {
    const readDetails = async (event: "up" | "down") => {
      const { body } = await send({ format: "pagerduty", tokenFile }, { ...alert(event), event: "down" })
      const { payload } = JSON.parse(body) as { payload: { custom_details: Record<string, string> } }
      return payload.custom_details
    }
    expect(await readDetails("up")).toHaveProperty("duration", "1 min")
    expect(await readDetails("down")).not.toHaveProperty("duration")
  })
})

describe("two alerts", () => {
  it("are combined into one message if the receiver is a chat", async () => {
    const { body } = await send({ format: "telegram", tokenFile, to: "1" }, alert("down"), alert("map"))
    expect((JSON.parse(body) as { text: string }).text.split("\n")).toHaveLength(2)
  })
})

describe("the secrets and headers of a webhook", () => {
  it("each request uses the current contents of the files with the URL, the token and the secret", async () => {
    const [urlFile, tokenFile, secretFile] = ["url", "new-token", "hmac"].map((name) => join(directory, name)) as [
      string,
      string,
      string
    ]
    writeFileSync(urlFile, `${origin}/first\n`)
    writeFileSync(tokenFile, "first token\n")
    writeFileSync(secretFile, "shared secret\n")
    const { url: _, ...hook } = {
      url: undefined,
      urlFile,
      tokenFile,
      headers: { "X-Team": "ops", Authorization: "Token {token}" },
      hmac: { secretFile }
    }
    const makeHook = (): WebhookConfig => ({ name: "hook", allowLocal: true, ...hook })
    const around = { hook: makeHook(), pageUrl: undefined }
    await Effect.runPromise(post(around, [alert("down")]))
    writeFileSync(urlFile, `${origin}/second`)
    writeFileSync(tokenFile, "second token")
    writeFileSync(secretFile, "another secret")
    await Effect.runPromise(
      post({ ...around, hook: { ...makeHook(), hmac: { secretFile, header: "X-Hub-Signature-256" } } }, [alert("down")])
    )
    expect(sent.map(({ path }) => path)).toEqual(["/first", "/second"])
    const [first, second] = sent as [Sent, Sent]
    const sign = (secret: string, { body }: Sent) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`
    expect(first.headers).toMatchObject({
      "x-team": "ops",
      authorization: "Token first token",
      "x-sourcewire-signature": sign("shared secret", first)
    })
    expect(second.headers).toMatchObject({
      authorization: "Token second token",
      "x-hub-signature-256": sign("another secret", second)
    })
  })

  it.each([
    ["does not exist", undefined, /cannot be read \(ENOENT\)/],
    ["is empty", "\n", /must contain one line with the secret/],
    ["has two lines", "a secret\nand more", /must contain one line with the secret/]
  ])(
    "if the token file %s, the webhook sends no request, and the error does not contain the secret",
    async (_, content, message) => {
      const file = join(directory, "changing")
      rmSync(file, { force: true })
      if (content !== undefined) writeFileSync(file, content)
      const hook: WebhookConfig = { name: "hook", url: origin, allowLocal: true, format: "gotify", tokenFile: file }
      const outcome = await Effect.runPromise(post({ hook, pageUrl: undefined }, [alert("down")]))
      expect(outcome).toMatchObject({ status: 0, isPassing: true, message: expect.stringMatching(message) })
      expect(outcome.message).not.toContain("secret\n")
      expect(sent).toEqual([])
    }
  )

  const findProblem = (webhook: object): string | undefined => {
    const config = { groups: [{ name: "a", targets: ["192.0.2.1"] }], webhooks: [{ name: "hook", ...webhook }] }
    const plan = makePlan(Schema.decodeUnknownSync(MonitorConfig)(config))
    return Result.isFailure(plan) ? plan.failure.message : undefined
  }

  it.each([
    [{ url: origin }, undefined],
    [{ urlFile: "url" }, undefined],
    [{}, "set either url or urlFile"],
    [{ url: origin, urlFile: "url" }, "set either url or urlFile"],
    [{ url: "ftp://a" }, "url must be an http or https URL"],
    [{ url: origin, format: "telegram", to: "1" }, "telegram requires tokenFile"],
    [{ url: origin, format: "matrix", tokenFile: "a" }, "matrix requires to"],
    [{ url: origin, format: "json", to: "1" }, 'json has no setting "to"'],
    [{ url: origin, headers: { "a b": "c" } }, '"a b" cannot be a header'],
    [{ url: origin, headers: { Host: "c" } }, '"Host" cannot be a header'],
    [{ url: origin, headers: { a: "b\r\nc: d" } }, "the header a must be ASCII on one line"],
    [{ url: origin, hmac: { secretFile: "a", header: "content-length" } }, '"content-length" cannot be a header']
  ])("for the settings %j, the reported problem is: %s", (webhook, problem) => {
    expect(findProblem(webhook)).toBe(problem === undefined ? undefined : `webhook hook: ${problem}`)
  })

  it("the paths of the files with secrets are relative to the configuration file", () => {
    const hooks = [{ name: "a", urlFile: "u", tokenFile: "t", hmac: { secretFile: "s" } }]
    expect(mapPaths({ groups: [], webhooks: hooks }, (path) => `/etc/${path}`).webhooks).toEqual([
      { name: "a", urlFile: "/etc/u", tokenFile: "/etc/t", hmac: { secretFile: "/etc/s" } }
    ])
  })
})
