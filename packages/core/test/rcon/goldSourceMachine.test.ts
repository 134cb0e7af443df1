import { assert, describe, it } from "@effect/vitest"
import { encode, fromHex } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { readFileSync } from "node:fs"
import type { Dialect } from "../../src/rcon/goldSourceMachine.ts"
import { CHALLENGE_TTL_MS, GoldSourceMachine, MAX_CHALLENGES } from "../../src/rcon/goldSourceMachine.ts"
import { QuietRule } from "../../src/rcon/quietRule.ts"
import { concatBytes } from "../../src/rcon/replyText.ts"
import type { RconError } from "../../src/rcon/session.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const latin1 = (datagram: Uint8Array) => String.fromCharCode(...datagram)
const fromLatin1 = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0))
const datagramOf = (text: string) => fromLatin1(`\xff\xff\xff\xff${text}`)
const datagram = (message: Message) => Result.getOrThrow(encode(message))

/** Replies to a request, which is text without header and line end; each with the delay at which it comes, in ms. */
type Server = (request: string) => ReadonlyArray<readonly [Uint8Array, number]>

const HEADER = "\xff\xff\xff\xff"
const REQUEST_END = /[\n\0]+$/

interface Outcome {
  readonly mayTrail?: boolean
  readonly text?: string
  readonly error?: RconError
  readonly sent: ReadonlyArray<string>
  /** When the last event came, in ms from the command's start. */
  readonly tookMs: number
}

const LIMITS = { timeoutMs: 5000, totalTimeoutMs: 30_000 }

/** Runs one command against a server in virtual time. */
const run = (machine: GoldSourceMachine, server: Server, command: string, startedAt = 0, isLogin = false): Outcome => {
  const inFlight: Array<{ bytes: Uint8Array; at: number }> = []
  const parts: Array<Uint8Array> = []
  const sent: Array<string> = []
  let now = startedAt
  if (isLogin) machine.logIn(LIMITS, now)
  else machine.start(bytes(command), LIMITS, now)
  for (let steps = 0; steps < 1000; steps++) {
    for (const request of machine.takeDatagrams()) {
      const line = latin1(request).slice(4).replace(REQUEST_END, "")
      sent.push(line)
      inFlight.push(...server(line).map(([reply, delay]) => ({ bytes: reply, at: now + delay })))
    }
    for (const event of machine.takeEvents()) {
      if (event.kind === "part") parts.push(event.bytes)
      else {
        const outcome = { sent, tookMs: now - startedAt }
        if (event.error !== undefined) return { ...outcome, error: event.error }
        return { ...outcome, mayTrail: event.mayTrail, text: new TextDecoder().decode(concatBytes(parts)) }
      }
    }
    inFlight.sort((a, b) => a.at - b.at)
    const next = inFlight[0]
    if (next !== undefined && next.at <= machine.deadline) {
      inFlight.shift()
      now = next.at
      machine.receive(next.bytes, now)
    } else {
      now = machine.deadline
      machine.expire(now)
    }
  }
  return assert.fail("the machine never came to an end")
}

const machineOf = (dialect: Dialect = "goldsource", password = "probe pw") =>
  new GoldSourceMachine({ password: bytes(password), dialect, quiet: new QuietRule() })

interface Exchange {
  readonly name: string
  readonly request_hex: string
  readonly replies: ReadonlyArray<{ readonly hex: string }>
}

const recorded = (file: string): ReadonlyArray<Exchange> =>
  (
    JSON.parse(readFileSync(new URL(`../fixtures/recordings/${file}.json`, import.meta.url), "utf8")) as {
      exchanges: ReadonlyArray<Exchange>
    }
  ).exchanges

const lineOf = ({ request_hex }: Exchange) => latin1(fromHex(request_hex)!).slice(4).replace(REQUEST_END, "").trimEnd()
const repliesOf = ({ replies }: Exchange) => replies.map(({ hex }, i) => [fromHex(hex)!, 5 + i] as const)

/** Answers as recorded; the first exchange with a request wins, unless `last` is asked for. */
const playing =
  (exchanges: ReadonlyArray<Exchange>): Server =>
  (request) => {
    const exchange = exchanges.find((one) => lineOf(one) === request.trimEnd())
    return exchange === undefined ? [] : repliesOf(exchange)
  }

const rehlds = recorded("rehlds")

/** ReHLDS, with the answer to a log-in, made as that to `echo hello`. */
const playingWithEcho: Server = (request) =>
  request.endsWith("echo sourcewire") ? [[datagramOf("lsourcewire \n\0\0"), 5]] : playing(rehlds)(request)

const named = (name: string) => rehlds.find((exchange) => exchange.name === name)!
const AUTH_LINE = /^rcon (\d+) "([^"]*)" ?(.*)$/

describe("ReHLDS, as recorded", () => {
  const answered: ReadonlyArray<readonly [string, string | RegExp]> = [
    ["rcon status", /^hostname: {2}ReHLDS probe server\nversion :/],
    ["rcon status, final NUL", /^hostname: {2}ReHLDS probe server\n/],
    ["rcon status, final newline", /^hostname: {2}ReHLDS probe server\n/],
    ["rcon echo", "hello \n"],
    ["rcon echo UTF-8", "Zoë ★ \n"],
    ["rcon unknown command", ""],
    ["rcon cvar value", '"sv_gravity" is "800"\n'],
    ["rcon command without output", ""],
    ["rcon right password, no command", ""],
    ["rcon right password, empty command", ""],
    ["rcon long output: cmdlist", /^Command List\n-+\n[^]*\n$/],
    ["rcon two commands", "one; echo two \n"],
    ["rcon very long command (500 bytes)", /^z+ \n$/],
    ["rcon challenge of another socket of the same address", "same address , other port \n"]
  ]

  it.each(answered)("%s", (name, expected) => {
    const [, , , command] = AUTH_LINE.exec(lineOf(named(name)))!.map((part) => part)
    const raw = new TextDecoder().decode(fromLatin1(command ?? ""))
    const { error, text } = run(machineOf(), playing(rehlds), raw)
    assert.isUndefined(error)
    if (typeof expected === "string") assert.strictEqual(text, expected)
    else assert.match(text!, expected)
  })

  it("joins the 18 datagrams of cvarlist, one packet of which came in fragments", () => {
    const { sent, text } = run(machineOf(), playing(rehlds), "cvarlist")
    const cvars = text!.split("\n").filter((line) => / : /.test(line))
    assert.match(text!, /^CVar List\n-+\n/)
    assert.match(text!, /455 Total CVars/i)
    assert.lengthOf(cvars, 455)
    assert.notInclude(text!, "\0")
    assert.lengthOf(sent, 2)
  })

  it("gets the same cvarlist in any order of the split packet's fragments, and a Timeout without one of them", () => {
    const exchange = named("rcon long output: cvarlist")
    const replies = repliesOf(exchange)
    const others = rehlds.filter((one) => one !== exchange)
    const server =
      (sent: ReadonlyArray<readonly [Uint8Array, number]>): Server =>
      (request) =>
        request.endsWith("cvarlist") ? sent : playing(others)(request)
    const swapped = replies.map(([bytes], i) => [bytes, [5, 6, 8, 7][i] ?? 5 + i] as const)
    const whole = run(machineOf(), server(replies), "cvarlist").text!
    assert.strictEqual(run(machineOf(), server(swapped), "cvarlist").text!.length, whole.length)
    const { error } = run(machineOf(), server(replies.filter((_, i) => i !== 3)), "cvarlist")
    assert.deepInclude(error, { _tag: "Timeout", phase: "split" })
  })

  it("times out on a command too long for the server, and says so", () => {
    const [, , , command] = AUTH_LINE.exec(lineOf(named("rcon too long command (700 bytes)")))!
    const { error } = run(machineOf(), playing(rehlds), command!)
    assert.strictEqual(error!._tag, "Timeout")
    assert.match(error!.message, /500 bytes/)
  })

  it("knows a wrong password", () => {
    const { error } = run(machineOf("goldsource", "wrong"), playing(rehlds), "status")
    assert.strictEqual(error!._tag, "AuthenticationFailed")
    assert.notInclude(error!.message, "wrong")
  })

  it("knows that the server has no password", () => {
    const refusals = rehlds.filter(({ name }) => name.startsWith("rcon, server has no password set (2)"))
    const challenge = rehlds.filter(({ name }) => name === '"challenge rcon" newline')
    const { error } = run(machineOf(), playing([...refusals, ...challenge]), "status")
    assert.strictEqual(error!._tag, "AuthenticationFailed")
    assert.match(error!.message, /No password set for this server/)
  })

  it.each(["rcon wrong challenge", "rcon no challenge"])("%s: fetches a new one and goes on", (name) => {
    const stale = datagram({ _tag: "RconChallengeReply", challenge: 12345 })
    const refusal = repliesOf(named(name))
    let asked = 0
    const { sent, text } = run(
      machineOf(),
      (request) => {
        if (request === "challenge rcon" && asked++ === 0) return [[stale, 5]]
        return request.startsWith("rcon 12345") ? refusal : playing(rehlds)(request)
      },
      "echo hello"
    )
    assert.strictEqual(text, "hello \n")
    assert.deepStrictEqual(sent, [
      "challenge rcon",
      'rcon 12345 "probe pw" echo hello',
      "challenge rcon",
      'rcon 352753098 "probe pw" echo hello'
    ])
  })
})

describe("HLTV, as recorded", () => {
  const hltv = recorded("hltv")

  it("takes 1400 bytes of nothing for an empty reply", () => {
    assert.strictEqual(run(machineOf(), playing(hltv), "status").text, "")
  })

  const logIn = (machine: GoldSourceMachine, server: Server) => run(machine, server, "", 0, true)

  it("logs in although the text is lost, and meets silence with a wrong password", () => {
    const zeros = repliesOf(hltv.find(({ name }) => name === "rcon status")!)
    const server: Server = (request) => (/^rcon 327160704 "probe pw" \S/.test(request) ? zeros : playing(hltv)(request))
    const machine = machineOf()
    assert.strictEqual(logIn(machine, server).text, "")
    assert.strictEqual(run(machine, server, "status", 1000).text, "")
    const { error } = logIn(machineOf("goldsource", "wrong"), server)
    assert.deepInclude(error, { _tag: "Timeout", phase: "authentication" })
    assert.match(error!.message, /HLTV/)
  })

  /** As in the second run: the text arrives, behind a stray byte; a command without output, and too few words, meet silence. */
  const hltvWith =
    (replies: Readonly<Record<string, readonly [text: string, delayMs: number]>>): Server =>
    (request) => {
      if (request === "challenge rcon") return [[fromLatin1(`${HEADER}challenge rcon 7\n\0`), 5]]
      const [, , password, command] = AUTH_LINE.exec(request) ?? []
      if (password !== "probe pw" || command === undefined) return []
      const [text, delayMs] = command.startsWith("echo ") ? [`${command.slice(5)}\n`, 5] : (replies[command] ?? ["", 0])
      const datagram = fromLatin1(`${HEADER}l\xff${text}\0`)
      const padded = new Uint8Array(datagram.length < 16 ? 1400 : datagram.length)
      padded.set(datagram)
      return text === "" ? [] : [[padded, delayMs]]
    }
  const server = hltvWith({
    status: ["--- HLTV Status ---\nOnline 1:02\n", 5],
    name: ["x\n", 5]
  })
  const atHltv = () => {
    const machine = machineOf()
    assert.strictEqual(logIn(machine, server).text, "")
    return machine
  }

  it.each([
    ["status", "--- HLTV Status ---\nOnline 1:02\n"],
    ["name", "x\n"]
  ])("reads the text of %s behind the stray byte", (command, text) => {
    assert.deepInclude(run(atHltv(), server, command, 1000), { text, mayTrail: false })
  })

  it("takes silence for an empty reply once an echo behind the command came back", () => {
    const { sent, text, tookMs } = run(atHltv(), server, "delay 30", 1000)
    assert.strictEqual(text, "")
    assert.deepStrictEqual(sent, ["challenge rcon", 'rcon 7 "probe pw" delay 30', 'rcon 7 "probe pw" echo sourcewire'])
    assert.isBelow(tookMs, 500)
  })

  it("waits for a slow reply, which comes before the echo's, and leaves neither to the next command", () => {
    const busy: Server = (request) =>
      server(request).map(([reply, delay]) => [reply, request === "challenge rcon" ? delay : delay + 300] as const)
    const { mayTrail, sent, text, tookMs } = run(atHltv(), busy, "status", 1000)
    assert.deepStrictEqual({ mayTrail, text }, { mayTrail: true, text: "--- HLTV Status ---\nOnline 1:02\n" })
    assert.include(sent.at(-1), "echo sourcewire")
    // The echo's answer is an end that needs no quiet period.
    assert.isBelow(tookMs, 500)
  })

  it("does not take silence for an empty reply where the echo meets it too", () => {
    const machine = atHltv()
    const { error, sent } = run(machine, (request) => (request.startsWith("rcon") ? [] : server(request)), "x", 1000)
    assert.deepInclude(error, { _tag: "Timeout", phase: "challenge" })
    assert.strictEqual(sent.filter((line) => line.endsWith(" x")).length, 1)
    assert.isAbove(sent.filter((line) => line.includes("echo")).length, 1)
  })

  it("fetches a challenge for each command: one that is asked for again may be the last moment's", () => {
    const machine = atHltv()
    assert.strictEqual(run(machine, server, "status", 1000).sent[0], "challenge rcon")
    assert.strictEqual(run(machine, server, "status", 2000).sent[0], "challenge rcon")
  })

  it("sends no echo to a server that answers everything", () => {
    const machine = machineOf()
    assert.strictEqual(logIn(machine, playingWithEcho).text, "")
    const slow: Server = (request) => playingWithEcho(request).map(([reply, delay]) => [reply, delay + 3000] as const)
    const { sent, text } = run(machine, slow, "status", 1000)
    assert.match(text!, /^hostname:/)
    assert.deepStrictEqual(sent, ['rcon 352753098 "probe pw" status'])
  })
})

describe("Xash3D, as recorded", () => {
  const xash = recorded("xash3d")

  it.each([
    ["status", /^map: probe_room\n# score ping dev[^]*\n\n$/],
    ["nosuchcommand", /^\^3Warning: \^7Unknown command "nosuchcommand"\n$/],
    ["echo hello world", /^hello world \n$/],
    ["", /^$/]
  ])("%s", (command, expected) => {
    assert.match(run(machineOf("quake"), playing(xash), command).text!, expected)
  })

  it.each(["^1Error: ^7Bad rcon_password.\n", "Bad rcon_password.\n", "Bad rconpassword.\n", "No rconpassword set.\n"])(
    "is told %j by its kin, in place of an answer",
    (said) => {
      const { error } = run(machineOf("quake"), () => [[datagramOf(`print\n${said}`), 5]], "", 0, true)
      assert.deepInclude(error, { _tag: "AuthenticationFailed", text: said.trim() })
      const later = run(
        machineOf("quake"),
        () => ["x\n", said].map((text, i) => [datagramOf(`print\n${text}`), i]),
        "x"
      )
      assert.strictEqual(later.text, `x\n${said}`)
    }
  )

  it("meets silence with a wrong password, and as GoldSource", () => {
    assert.deepInclude(run(machineOf("quake", "wrong"), playing(xash), "status").error!, { _tag: "Timeout" })
    assert.deepInclude(run(machineOf("goldsource"), playing(xash), "status").error!, {
      _tag: "Timeout",
      phase: "request"
    })
  })
})

describe("challenges", () => {
  const challenge = datagram({ _tag: "RconChallengeReply", challenge: 7 })
  const hello = datagram({ _tag: "PrintReply", text: "hello\n" })
  const server: Server = (request) => [[request === "challenge rcon" ? challenge : hello, 5]]

  it("uses one again as long as the shortest server remembers it", () => {
    const machine = machineOf()
    assert.lengthOf(run(machine, server, "a").sent, 2)
    assert.deepStrictEqual(run(machine, server, "b", CHALLENGE_TTL_MS - 1).sent, ['rcon 7 "probe pw" b'])
    assert.lengthOf(run(machine, server, "c", CHALLENGE_TTL_MS + 10).sent, 2)
  })

  it("asks again when the request is lost, but sends a command once", () => {
    let lost = 0
    const { sent, text } = run(machineOf(), (request) => (lost++ < 2 ? [] : server(request)), "a")
    assert.strictEqual(text, "hello\n")
    assert.deepStrictEqual(sent, ["challenge rcon", "challenge rcon", "challenge rcon", 'rcon 7 "probe pw" a'])
    const silent = run(machineOf(), (request) => (request === "challenge rcon" ? [[challenge, 5]] : []), "a")
    assert.deepInclude(silent.error, { _tag: "Timeout", phase: "challenge", sent: 2, received: 1 })
  })

  it("gives up when none of them is taken", () => {
    const refusal = datagram({ _tag: "ConnectionRejected", text: "No challenge for your address.\n" })
    const { error, sent } = run(
      machineOf(),
      (request) => [[request === "challenge rcon" ? challenge : refusal, 5]],
      "a"
    )
    assert.deepInclude(error, { _tag: "TooManyChallenges", rounds: MAX_CHALLENGES })
    assert.lengthOf(sent, 2 * MAX_CHALLENGES)
  })

  it("tells a ban, in place of a challenge or of a reply", () => {
    const ban = datagram({ _tag: "PrintReply", text: "You have been banned from this server.\n" })
    for (const banned of ["challenge rcon", 'rcon 7 "probe pw" a']) {
      const { error } = run(machineOf(), (request) => (request === banned ? [[ban, 5]] : server(request)), "a")
      assert.deepInclude(error, { _tag: "Refused", text: "You have been banned from this server." })
      assert.match(error!.message, /banned.*removeip.*sv_rcon_banpenalty/)
    }
  })

  it("passes on a reason of refusal without the password that stands in it", () => {
    const refusal = datagram({ _tag: "ConnectionRejected", text: "No rcon with 'probe pw' here.\n" })
    const { error } = run(machineOf(), (request) => [[request === "challenge rcon" ? challenge : refusal, 5]], "a")
    assert.deepInclude(error, { _tag: "Refused", text: "No rcon with '********' here." })
    assert.notInclude(JSON.stringify(error), "probe pw")
    const hex = (text: string) => Buffer.from(text).toString("hex")
    const garbled = run(machineOf(), () => [[datagramOf("challenge rcon probe pw"), 5]], "a").error
    assert.strictEqual(garbled!._tag, "Malformed")
    assert.notInclude(JSON.stringify(garbled), hex("probe pw"))
  })

  it.each(["server", "off", "password", "RCON", "rcon_password"])(
    "says the same to people whose password is %j",
    (password) => {
      const bad = datagramOf("lBad rcon_password.\n\0\0")
      const answer: Server = (request) => [[request === "challenge rcon" ? challenge : bad, 5]]
      const { error } = run(machineOf("goldsource", password), answer, "a")
      assert.strictEqual(error!.message, run(machineOf(), answer, "a").error!.message)
    }
  )

  it("passes on another reason of refusal", () => {
    const refusal = datagram({ _tag: "ConnectionRejected", text: "Server is full.\n" })
    const { error } = run(machineOf(), (request) => [[request === "challenge rcon" ? challenge : refusal, 5]], "a")
    assert.deepInclude(error, { _tag: "Refused", text: "Server is full." })
  })
})

describe("the end of a reply", () => {
  const challenge = datagram({ _tag: "RconChallengeReply", challenge: 7 })
  const part = (text: string) => datagram({ _tag: "PrintReply", text })
  const replying =
    (roundTripMs: number, replies: ReadonlyArray<readonly [string, number]>): Server =>
    (request) =>
      request === "challenge rcon"
        ? [[challenge, roundTripMs]]
        : replies.map(([text, after]) => [part(text), roundTripMs + after] as const)

  it("comes soon on a near server", () => {
    const { text, tookMs } = run(
      machineOf(),
      replying(1, [
        ["a\n", 0],
        ["b\n", 60]
      ]),
      "x"
    )
    assert.strictEqual(text, "a\nb\n")
    assert.isBelow(tookMs, 200)
  })

  it("comes later on a far one, and never later than the cap", () => {
    const { text } = run(
      machineOf(),
      replying(300, [
        ["a\n", 0],
        ["b\n", 600]
      ]),
      "x"
    )
    assert.strictEqual(text, "a\nb\n")
    const far = run(machineOf(), replying(900, [["a\n", 0]]), "x")
    assert.isBelow(far.tookMs, 1800 + 1001)
  })

  it("comes later after a part that is nearly full", () => {
    const { text } = run(
      machineOf(),
      replying(1, [
        ["x".repeat(1380) + "\n", 0],
        ["b\n", 200]
      ]),
      "x"
    )
    assert.isTrue(text!.endsWith("\nb\n"))
  })

  it("is forced on a server that never stops", () => {
    const drip = Array.from({ length: 900 }, (_, i) => ["drip\n", i * 50] as const)
    const { error, tookMs } = run(machineOf(), replying(1, drip), "x")
    assert.deepInclude(error, { _tag: "Timeout", phase: "reply" })
    assert.strictEqual(tookMs, LIMITS.totalTimeoutMs)
  })

  it("is forced without a timer, which a flood keeps waiting", () => {
    const machine = machineOf()
    machine.start(bytes("x"), LIMITS, 0)
    machine.receive(challenge, 1)
    machine.receive(part("a\n"), 2)
    machine.receive(part("b\n"), LIMITS.totalTimeoutMs - 1)
    assert.notInclude(JSON.stringify(machine.takeEvents()), "ended")
    machine.receive(fromLatin1(`${HEADER}noise`), LIMITS.totalTimeoutMs)
    assert.deepInclude(machine.takeEvents().at(-1), { kind: "ended" })
  })

  it("is forced on a server that disowns its challenges as slowly as it may", () => {
    const refusal = datagram({ _tag: "ConnectionRejected", text: "No challenge for your address.\n" })
    const slow: Server = (request) => [[request === "challenge rcon" ? challenge : refusal, LIMITS.timeoutMs - 1]]
    const machine = machineOf()
    const { error, tookMs } = run(machine, slow, "x")
    assert.strictEqual(error!._tag, "TooManyChallenges")
    assert.isBelow(tookMs, LIMITS.totalTimeoutMs)
  })

  it("is not delayed by datagrams that are none of RCON's", () => {
    const noise = fromLatin1(`${HEADER}j00000000000000\0`)
    const server = replying(1, [["a\n", 0]])
    const { text, tookMs } = run(
      machineOf(),
      (request) => [...server(request), ...Array.from({ length: 50 }, (_, i) => [noise, i * 50] as const)],
      "x"
    )
    assert.strictEqual(text, "a\n")
    assert.isBelow(tookMs, 200)
  })
})
