import { assert, describe, it } from "@effect/vitest"
import { splitDatagram } from "@sourcewire/protocol/wire"
import { CHALLENGE_TTL_MS, MAX_CHALLENGES } from "../../src/rcon/GoldSourceExchange.ts"
import type { Server } from "./oneCommand.ts"
import { HEADER, LIMITS, bytes, datagram, connectionless, fromLatin1, makeMachine, run } from "./oneCommand.ts"

describe("a command with a challenge", () => {
  const challenge = datagram({ _tag: "RconChallengeReply", challenge: 7 })
  const hello = datagram({ _tag: "PrintReply", text: "hello\n" })
  const server: Server = (request) => [[request === "challenge rcon" ? challenge : hello, 5]]

  it("reuses the challenge of an earlier command until the challenge expires", () => {
    const machine = makeMachine()
    assert.lengthOf(run(machine, server, "a").sent, 2)
    assert.deepStrictEqual(run(machine, server, "b", CHALLENGE_TTL_MS - 1).sent, ['rcon 7 "probe pw" b'])
    assert.lengthOf(run(machine, server, "c", CHALLENGE_TTL_MS + 10).sent, 2)
  })

  it("is sent once, even if the challenge request is sent again", () => {
    let lost = 0
    const { sent, text } = run(makeMachine(), (request) => (lost++ < 2 ? [] : server(request)), "a")
    assert.strictEqual(text, "hello\n")
    assert.deepStrictEqual(sent, ["challenge rcon", "challenge rcon", "challenge rcon", 'rcon 7 "probe pw" a'])
    const silent = run(makeMachine(), (request) => (request === "challenge rcon" ? [[challenge, 5]] : []), "a")
    assert.deepInclude(silent.error, { _tag: "Timeout", phase: "challenge", sent: 2, received: 1 })
  })

  it("ends with TooManyChallenges if the server rejects every challenge", () => {
    const refusal = datagram({ _tag: "ConnectionRejected", text: "No challenge for your address.\n" })
    const { error, sent } = run(
      makeMachine(),
      (request) => [[request === "challenge rcon" ? challenge : refusal, 5]],
      "a"
    )
    assert.deepInclude(error, { _tag: "TooManyChallenges", rounds: MAX_CHALLENGES })
    assert.lengthOf(sent, 2 * MAX_CHALLENGES)
  })

  it("ends with Refused if the server has banned the address of the client", () => {
    const ban = datagram({ _tag: "PrintReply", text: "You have been banned from this server.\n" })
    for (const banned of ["challenge rcon", 'rcon 7 "probe pw" a']) {
      const { error } = run(makeMachine(), (request) => (request === banned ? [[ban, 5]] : server(request)), "a")
      assert.deepInclude(error, { _tag: "Refused", text: "You have been banned from this server." })
      assert.match(error!.message, /banned.*removeip.*sv_rcon_banpenalty/)
    }
  })

  it("ends with an error that does not contain the password, even if a rejection or a malformed reply contains the password", () => {
    const refusal = datagram({ _tag: "ConnectionRejected", text: "No rcon with 'probe pw' here.\n" })
    const { error } = run(makeMachine(), (request) => [[request === "challenge rcon" ? challenge : refusal, 5]], "a")
    assert.deepInclude(error, { _tag: "Refused", text: "No rcon with '********' here." })
    assert.notInclude(JSON.stringify(error), "probe pw")
    const hex = (text: string) => Buffer.from(text).toString("hex")
    const garbled = run(makeMachine(), () => [[connectionless("challenge rcon probe pw"), 5]], "a").error
    assert.strictEqual(garbled!._tag, "Malformed")
    assert.notInclude(JSON.stringify(garbled), hex("probe pw"))
  })

  it.each(["server", "off", "password", "RCON", "rcon_password"])(
    "ends with the same error message for every refused password, even if the password is a common word: %j",
    (password) => {
      const bad = connectionless("lBad rcon_password.\n\0\0")
      const answer: Server = (request) => [[request === "challenge rcon" ? challenge : bad, 5]]
      const { error } = run(makeMachine("goldsource", password), answer, "a")
      assert.strictEqual(error!.message, run(makeMachine(), answer, "a").error!.message)
    }
  )

  it("ends with Refused and the reason if the server rejects the command", () => {
    const refusal = datagram({ _tag: "ConnectionRejected", text: "Server is full.\n" })
    const { error } = run(makeMachine(), (request) => [[request === "challenge rcon" ? challenge : refusal, 5]], "a")
    assert.deepInclude(error, { _tag: "Refused", text: "Server is full." })
  })
})

describe("a command with a reply", () => {
  const challenge = datagram({ _tag: "RconChallengeReply", challenge: 7 })
  const part = (text: string) => datagram({ _tag: "PrintReply", text })
  const replying =
    (roundTripMs: number, replies: ReadonlyArray<readonly [string, number]>): Server =>
    (request) =>
      request === "challenge rcon"
        ? [[challenge, roundTripMs]]
        : replies.map(([text, after]) => [part(text), roundTripMs + after] as const)

  it("ends after a short quiet period if the server is nearby", () => {
    const { text, tookMs } = run(
      makeMachine(),
      replying(1, [
        ["a\n", 0],
        ["b\n", 60]
      ]),
      "x"
    )
    assert.strictEqual(text, "a\nb\n")
    assert.isBelow(tookMs, 200)
  })

  it("ends after a longer quiet period if the server is distant, but this period has a maximum", () => {
    const { text } = run(
      makeMachine(),
      replying(300, [
        ["a\n", 0],
        ["b\n", 600]
      ]),
      "x"
    )
    assert.strictEqual(text, "a\nb\n")
    const far = run(makeMachine(), replying(900, [["a\n", 0]]), "x")
    // The challenge arrives after one round trip of 900 ms, and the reply after a second round trip. The quiet period after the reply has
    // the maximum length, one second.
    assert.strictEqual(far.tookMs, 1800 + 1000)
  })

  it("does not end after the usual quiet period if the first part nearly fills a datagram, because another part may follow", () => {
    const { text } = run(
      makeMachine(),
      replying(1, [
        ["x".repeat(1380) + "\n", 0],
        ["b\n", 200]
      ]),
      "x"
    )
    assert.isTrue(text!.endsWith("\nb\n"))
  })

  it("does not end after the usual quiet period if a split reply is incomplete, because the missing fragments may still arrive", () => {
    const whole = part(`${"x".repeat(60)}\n`)
    const fragments = splitDatagram(whole, { layout: "goldsource", id: 1, maxBytes: 60 })
    assert.lengthOf(fragments, 2)
    // The first fragment arrives 80 ms after the text `a`, before the quiet period of 100 ms ends. The second fragment arrives 200 ms after the
    // first fragment.
    const late: Server = (request) =>
      request === "challenge rcon"
        ? [[challenge, 1]]
        : [
            [part("a\n"), 1],
            [fragments[0]!, 81],
            [fragments[1]!, 281]
          ]
    const { error, text } = run(makeMachine(), late, "x")
    assert.isUndefined(error)
    assert.strictEqual(text, `a\n${"x".repeat(60)}\n`)
  })

  it("ends with Timeout at the total time limit if the server never stops sending", () => {
    const drip = Array.from({ length: 900 }, (_, i) => ["drip\n", i * 50] as const)
    const { error, tookMs } = run(makeMachine(), replying(1, drip), "x")
    assert.deepInclude(error, { _tag: "Timeout", phase: "reply" })
    assert.strictEqual(tookMs, LIMITS.totalTimeoutMs)
  })

  it("ends when a datagram arrives at the total time limit, even if no timer has run", () => {
    const machine = makeMachine()
    machine.start(bytes("x"), LIMITS, 0)
    machine.receive(challenge, 1)
    machine.receive(part("a\n"), 2)
    machine.receive(part("b\n"), LIMITS.totalTimeoutMs - 1)
    assert.notInclude(JSON.stringify(machine.takeEvents()), "ended")
    machine.receive(fromLatin1(`${HEADER}noise`), LIMITS.totalTimeoutMs)
    assert.deepInclude(machine.takeEvents().at(-1), { kind: "ended" })
  })

  it("ends with TooManyChallenges before the total time limit, even if the server is slow to reject each challenge", () => {
    const refusal = datagram({ _tag: "ConnectionRejected", text: "No challenge for your address.\n" })
    const slow: Server = (request) => [[request === "challenge rcon" ? challenge : refusal, LIMITS.timeoutMs - 1]]
    const machine = makeMachine()
    const { error, tookMs } = run(machine, slow, "x")
    assert.strictEqual(error!._tag, "TooManyChallenges")
    assert.isBelow(tookMs, LIMITS.totalTimeoutMs)
  })

  it("is not delayed by datagrams of other protocols", () => {
    const noise = fromLatin1(`${HEADER}j00000000000000\0`)
    const server = replying(1, [["a\n", 0]])
    const { text, tookMs } = run(
      makeMachine(),
      (request) => [...server(request), ...Array.from({ length: 50 }, (_, i) => [noise, i * 50] as const)],
      "x"
    )
    assert.strictEqual(text, "a\n")
    assert.isBelow(tookMs, 200)
  })
})
