/** Tests the timing of an exchange with a GoldSource or Quake server, and the datagrams that the exchange ignores. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { Limits, splitDatagram } from "@sourcewire/protocol/wire"
import { BACKOFF_FACTOR, INITIAL_RTO_MS, INITIAL_RTO_SHARE } from "../../src/Limits.ts"
import type { Dialect } from "../../src/rcon/GoldSourceExchange.ts"
import { CHALLENGE_TTL_MS, GoldSourceConsole, GoldSourceExchange } from "../../src/rcon/GoldSourceExchange.ts"
import { QuietRule } from "../../src/rcon/quietRule.ts"
import { udpFault } from "../../src/rcon/errors.ts"
import { Step } from "../../src/engine/Exchange.ts"
import type { CommandEvent, Commands, Server } from "./oneCommand.ts"
import { bytes, connectionless, latin1, LIMITS, makeMachine, run } from "./oneCommand.ts"

/** The minimum quiet period, in ms. It applies if the server is nearby. */
const QUIET_MS = 100
const CHALLENGE = connectionless("challenge rcon 7\n\0")
const printReply = (text: string): Uint8Array => connectionless(`l${text}\0\0`)
const printed = (text: string): Uint8Array => connectionless(`print\n${text}`)
const challengeRejected = connectionless("9No challenge for your address.\n\0")

/** Returns the datagrams that were sent since the last call, as text without the header. */
const sentBy = (machine: Commands) => machine.takeDatagrams().map((datagram) => latin1(datagram).slice(4))

/** Returns one text per event: the text of a part, `end` for a successful end, or the tag of the error. */
const summarize = (events: ReadonlyArray<CommandEvent>) =>
  events.map((event) => (event.kind === "part" ? latin1(event.bytes) : (event.error?._tag ?? "end")))

const getError = (machine: Commands): Error => {
  const event = machine.takeEvents().at(-1)
  return event?.kind === "ended" && event.error !== undefined ? event.error : assert.fail("no error")
}

/**
 * Returns {@link Commands} that sent a command at 10 ms. In the dialect GoldSource, the challenge arrived at this time, 10 ms after its
 * request.
 */
const afterCommand = (dialect: Dialect = "goldsource", command = "status") => {
  const machine = makeMachine(dialect)
  machine.start(bytes(command), LIMITS, dialect === "quake" ? 10 : 0)
  if (dialect === "goldsource") machine.receive(CHALLENGE, 10)
  machine.takeDatagrams()
  return machine
}

/** Returns {@link Commands} that sent a command at 10 ms, and received the first part of the reply at 20 ms. */
const afterFirstPart = (dialect: Dialect = "goldsource") => {
  const machine = afterCommand(dialect)
  machine.receive(dialect === "quake" ? printed("a\n") : printReply("a\n"), 20)
  machine.takeEvents()
  return machine
}

describe("after the end of a command", () => {
  it("the exchange has no deadline, and ignores datagrams and faults", () => {
    const console = new GoldSourceConsole({ password: bytes("pw"), dialect: "goldsource", quiet: new QuietRule() })
    const parts: Array<string> = []
    const onPart = (part: Uint8Array) => parts.push(latin1(part))
    const exchange = new GoldSourceExchange(console, { bytes: bytes("status"), limits: LIMITS, onPart })
    exchange.start(0)
    exchange.receive(CHALLENGE, 10)
    exchange.receive(printReply("a\n"), 20)
    assert.strictEqual(exchange.expire(exchange.deadline), Step.Done)
    const { packet, result } = exchange
    assert.isTrue(Result.isSuccess(result!))
    assert.strictEqual(exchange.deadline, Number.POSITIVE_INFINITY)
    const steps = [
      exchange.receive(printReply("You have been banned from this server.\n"), 1000),
      exchange.receive(printReply("late\n"), 1000),
      exchange.receive(challengeRejected, 1000),
      exchange.expire(60_000),
      exchange.fail(udpFault({ kind: "failed", message: "EPERM" }))
    ]
    assert.deepStrictEqual(
      steps,
      steps.map(() => Step.Done)
    )
    assert.strictEqual(exchange.result, result)
    assert.strictEqual(exchange.packet, packet)
    assert.strictEqual(exchange.deadline, Number.POSITIVE_INFINITY)
    assert.deepStrictEqual(parts, ["a\n"])
  })
})

describe("a challenge", () => {
  const server: Server = (request) => [[request === "challenge rcon" ? CHALLENGE : printReply("a\n"), 5]]

  it("is requested again as soon as the last challenge has expired", () => {
    for (const [startedAt, requests] of [
      [4 + CHALLENGE_TTL_MS, 1],
      [5 + CHALLENGE_TTL_MS, 2]
    ] as const) {
      const machine = makeMachine()
      // The challenge arrives at 5 ms.
      run(machine, server, "a")
      assert.lengthOf(run(machine, server, "b", startedAt).sent, requests)
    }
  })

  it("is requested again at growing intervals, even if other datagrams arrive", () => {
    const machine = makeMachine()
    machine.start(bytes("status"), LIMITS, 0)
    const firstMs = Math.min(INITIAL_RTO_MS, INITIAL_RTO_SHARE * LIMITS.timeoutMs)
    assert.lengthOf(machine.takeDatagrams(), 1)
    assert.strictEqual(machine.deadline, firstMs)
    machine.expire(firstMs - 1)
    machine.receive(connectionless("j\0"), firstMs + 1)
    assert.lengthOf(machine.takeDatagrams(), 0)
    machine.expire(firstMs)
    assert.lengthOf(machine.takeDatagrams(), 1)
    assert.strictEqual(machine.deadline, firstMs + firstMs * BACKOFF_FACTOR)
  })

  it("is not used to measure the round-trip time if the challenge was requested twice", () => {
    const machine = makeMachine()
    machine.start(bytes("status"), LIMITS, 0)
    const resentAt = machine.deadline
    machine.expire(resentAt)
    machine.receive(CHALLENGE, resentAt + 3)
    machine.receive(printReply("a\n"), resentAt + 203)
    // The only measured RTT is 200 ms, so the variation of the RTT is half of this time, 100 ms. The quiet period is twice the RTT plus
    // four times the variation.
    assert.strictEqual(machine.deadline, resentAt + 203 + 800)
  })

  it('is requested again if the server replies to the command with the text "Bad challenge."', () => {
    const machine = afterCommand()
    machine.receive(printReply("Bad challenge.\n"), 20)
    assert.deepStrictEqual(sentBy(machine), ["challenge rcon\n\0"])
  })

  it("if the server rejects every challenge, the error message reports how many challenges were rejected", () => {
    const { error } = run(
      makeMachine(),
      (request) => [[request === "challenge rcon" ? CHALLENGE : challengeRejected, 5]],
      "a"
    )
    assert.match(error!.message, /rejected 3 of its own challenges in a row/)
  })

  it("must arrive first: datagrams before the challenge are ignored", () => {
    const machine = makeMachine()
    machine.start(bytes("status"), LIMITS, 0)
    for (const early of [printReply("of a command that was given up\n"), challengeRejected]) machine.receive(early, 5)
    assert.lengthOf(machine.takeEvents(), 0)
    assert.lengthOf(machine.takeDatagrams(), 1)
  })
})

describe("a command", () => {
  it("ends at its time limit with an error that names a likely reason", () => {
    const machine = afterCommand("goldsource", "x".repeat(495))
    machine.expire(9 + LIMITS.timeoutMs)
    assert.lengthOf(machine.takeEvents(), 0)
    assert.lengthOf(machine.takeDatagrams(), 0)
    machine.expire(10 + LIMITS.timeoutMs)
    assert.match(
      getError(machine).message,
      /HLDS does not reply if the password and the command have more than about 500 bytes/
    )
  })

  it("ends with an error that contains the server's reason if the server rejects the command", () => {
    const machine = afterCommand()
    machine.receive(connectionless("9Server is full.\n\0"), 20)
    assert.strictEqual(getError(machine).message, "The server refused the command: Server is full.")
  })

  it("ends with SendFailed if the socket fails", () => {
    const machine = afterCommand()
    machine.fault("failed", "EPERM")
    const events = machine.takeEvents()
    assert.deepInclude(events[0], { kind: "ended", mayTrail: true })
    assert.deepInclude((events[0] as { error: object }).error, { _tag: "SendFailed", message: "EPERM" })
  })

  it("ends with EncodeError, and is not sent, if the protocol cannot encode the password", () => {
    const machine = makeMachine("quake", 'a "quoted" one')
    machine.start(bytes("status"), LIMITS, 0)
    assert.deepStrictEqual(summarize(machine.takeEvents()), ["EncodeError"])
    assert.lengthOf(machine.takeDatagrams(), 0)
  })

  it("gets its reply even if the command is the same echo command that Sourcewire sends to HLTV", () => {
    const answer: Server = (request) => [[request === "challenge rcon" ? CHALLENGE : printReply("sourcewire \n"), 5]]
    assert.strictEqual(run(makeMachine(), answer, "echo sourcewire").text, "sourcewire \n")
  })

  it("ignores a Quake datagram if the dialect is GoldSource, and ignores a GoldSource datagram if the dialect is Quake", () => {
    for (const [dialect, foreign] of [["goldsource", printed("x\n")] as const, ["quake", printReply("x\n")] as const]) {
      const machine = afterCommand(dialect)
      machine.receive(foreign, 20)
      assert.lengthOf(machine.takeEvents(), 0)
    }
  })
})

describe("a reply", () => {
  it("is complete when the quiet period ends, and not earlier", () => {
    const machine = afterFirstPart()
    assert.strictEqual(machine.deadline, 20 + QUIET_MS)
    machine.expire(19 + QUIET_MS)
    assert.lengthOf(machine.takeEvents(), 0)
    machine.receive(connectionless("j\0"), 21 + QUIET_MS)
    assert.lengthOf(machine.takeEvents(), 0, "a timer that is late is no reason to end")
    machine.expire(20 + QUIET_MS)
    assert.deepStrictEqual(machine.takeEvents(), [{ kind: "ended", mayTrail: false }])
  })

  it("provides one measurement of the round-trip time, when its first part arrives", () => {
    const machine = afterFirstPart()
    machine.receive(printReply("b\n"), 119)
    assert.strictEqual(machine.deadline, 119 + QUIET_MS)
    const far = afterCommand()
    far.receive(printReply("a\n"), 810)
    // The two measured RTTs, 10 and 800 ms, result in a smoothed RTT of 108.75 ms and a variation of 201.25 ms. Twice the smoothed RTT plus
    // four times the variation exceeds 1000 ms, the maximum quiet period.
    assert.strictEqual(far.deadline, 810 + 1000)
  })

  it("includes text that looks like a rejection if this text arrives after the first part", () => {
    const machine = afterFirstPart()
    const quoted = ["Bad rcon_password.\n", "Bad challenge.\n"]
    for (const text of quoted) machine.receive(printReply(text), 30)
    machine.receive(challengeRejected, 30)
    assert.deepStrictEqual(summarize(machine.takeEvents()), quoted)
  })

  it("contains no part for a datagram without text, but such a datagram restarts the quiet period", () => {
    const machine = afterFirstPart("quake")
    machine.receive(printed(""), 30)
    assert.lengthOf(machine.takeEvents(), 0)
    assert.strictEqual(machine.deadline, 30 + QUIET_MS)
  })

  it("omits the text after the first NUL of each datagram if the dialect is Quake", () => {
    const machine = afterCommand("quake")
    machine.receive(printed("a\n\0junk"), 20)
    machine.receive(printed("b\n"), 21)
    assert.deepStrictEqual(summarize(machine.takeEvents()), ["a\n", "b\n"])
  })

  it.each([
    [1299, QUIET_MS],
    [1300, 2.5 * QUIET_MS]
  ])("whose last part has %i bytes is complete after a quiet period of %i ms", (length, quietMs) => {
    const machine = afterCommand()
    machine.receive(printReply("x".repeat(length)), 20)
    assert.strictEqual(machine.deadline, 20 + quietMs)
  })

  it("ends with LimitExceeded if its datagrams are too long in total; datagrams without text increase this total, too", () => {
    const machine = afterCommand("quake")
    const piece = printed("x".repeat(Limits.MAX_RCON_REPLY_BYTES / 256 - 16))
    for (let i = 0; i < 256; i++) machine.receive(piece, 20)
    assert.lengthOf(machine.takeEvents(), 256)
    machine.receive(printed(""), 20)
    assert.deepStrictEqual(summarize(machine.takeEvents()), ["LimitExceeded"])
  })

  it("is not delayed by a fragment of the reply to a cancelled command", () => {
    const machine = afterFirstPart()
    const [fragment] = splitDatagram(printReply("x".repeat(60)), { layout: "goldsource", id: 1, maxBytes: 40 })
    machine.receive(fragment!, 30)
    machine.cancel()
    machine.start(bytes("status"), LIMITS, 40)
    machine.receive(CHALLENGE, 45)
    machine.receive(printReply("a\n"), 50)
    machine.expire(machine.deadline)
    assert.deepStrictEqual(summarize(machine.takeEvents()), ["a\n", "end"])
  })
})

describe("a login", () => {
  const loggingIn = () => {
    const machine = makeMachine("quake")
    machine.logIn(LIMITS, 10)
    return machine
  }

  it("succeeds as soon as an empty reply arrives, but waits for further parts after a reply with text", () => {
    const empty = loggingIn()
    empty.receive(printed(""), 20)
    assert.deepStrictEqual(summarize(empty.takeEvents()), ["end"])
    const other = loggingIn()
    other.receive(printed("Welcome\n"), 20)
    assert.deepStrictEqual(summarize(other.takeEvents()), ["Welcome\n"])
  })
})
