/** Tests targets in flight: tokens, send errors, suspensions of the process, and floods of datagrams. */
import { beforeEach, describe, expect, it } from "vitest"
import type { DatagramHandle } from "../../src/engine/Datagrams.ts"
import { OutageClock } from "../../src/scan/outageClock.ts"
import { scanEngine } from "../../src/scan/scanOwner.ts"
import { TokenBucket } from "../../src/scan/TokenBucket.ts"
import { ScanTimeouts } from "../../src/scan/timeouts.ts"
import { makeExchange } from "../../src/query/ServerExchange.ts"
import { Target } from "../../src/scan/target.ts"
import { routeKey } from "../../src/address/ip.ts"
import { MAX_TARGET_DATAGRAMS } from "../../src/Limits.ts"
import type { Answered, ScanQuery } from "../../src/scan/ScanResult.ts"
import { parseHex } from "../drive.ts"
import * as messages from "../messages.ts"

const PORT = 27_015
const SETTINGS = { timeoutMs: 3000, retries: 4, encoding: "auto", random: () => 0.5 } as const

let now = 0
/** Pending timers. A test runs the timers that are due. */
let timers: Array<{ readonly at: number; readonly run: () => void }> = []
let done: Array<Target> = []
let sent = 0

const timing = {
  now: () => now,
  schedule: (delayMs: number, run: () => void) => {
    const timer = { at: now + delayMs, run }
    timers.push(timer)
    return () => void (timers = timers.filter((other) => other !== timer))
  }
}

const runTimers = (): void => {
  const due = timers.filter(({ at }) => at <= now)
  timers = timers.filter(({ at }) => at > now)
  for (const { run } of due) run()
}

/** Submits queries to `count` targets, as a scan does. */
const submitTargets = (
  count: number,
  query: ScanQuery = "info",
  bucket?: TokenBucket,
  handle: Partial<DatagramHandle> = {}
) => {
  const timeouts = new ScanTimeouts(SETTINGS, false)
  const outages = new OutageClock(timing, timeouts.roundTrip)
  const engine = scanEngine(timing, outages, bucket)
  const socket = engine.socket()
  socket.attach({ local: { address: "0.0.0.0", port: 1 }, send: () => sent++, ...handle })
  const onTargetDone = (target: Target): void => void done.push(target)
  const owner = {
    maxMs: timeouts.maxMs,
    repeats: true,
    sockets: { acquire: onTargetDone },
    onTargetDone,
    onOverdue: () => undefined
  }
  for (let i = 0; i < count; i++) {
    const address = `10.0.0.${i}`
    const exchange = makeExchange(query, timeouts, timeouts.roundTrip)
    const target = new Target(owner, exchange, PORT, routeKey(address, PORT))
    target.begin(address, PORT, target.key, false)
    engine.submit(socket, target)
  }
  return { engine, socket }
}

beforeEach(() => {
  now = 0
  timers = []
  done = []
  sent = 0
})

it("each datagram takes a token, and the token is returned if the datagram cannot be sent", () => {
  const bucket = new TokenBucket(100, 10)
  const tokens = (): number => {
    let taken = 0
    while (bucket.take(now) === 0) taken++
    for (let i = 0; i < taken; i++) bucket.credit()
    return taken
  }
  const { socket } = submitTargets(3, "info", bucket)
  expect(tokens()).toBe(7)
  const peer = { address: "10.0.0.2", port: PORT }
  socket.onFault({ kind: "local", message: "", code: "ENOBUFS", peer })
  expect(tokens()).toBe(8)
})

it("send errors are hidden for the first datagram to a target, but are reported for retransmissions", () => {
  let quiet = 0
  submitTargets(2, "info", undefined, { sendQuietly: () => quiet++ })
  expect([quiet, sent]).toEqual([2, 0])
  // The first retransmission is due after less than two seconds.
  while (now < 2000) {
    now += 1
    runTimers()
    if (sent > 0) break
  }
  expect([quiet, sent]).toEqual([2, 2])
})

it("if this host has no route to a target, the target stays in flight, and a later reply is accepted", () => {
  const bucket = new TokenBucket(100, 10)
  const { engine, socket } = submitTargets(2, "info", bucket)
  for (const address of ["10.0.0.0", "10.0.0.1"]) {
    const peer = { address, port: PORT }
    socket.onFault({ kind: "unreachable", message: "No route.", code: "EHOSTUNREACH", peer })
  }
  expect(engine.inFlight).toBe(2)
  // The system sent these datagrams before it reported the missing route, so the tokens of the datagrams are not returned.
  bucket.debit(now)
  expect(bucket.waitMs(now)).toBe(0)
  for (let i = 0; i < 7; i++) bucket.debit(now)
  expect(bucket.waitMs(now)).toBeGreaterThan(0)
  socket.onDatagram(parseHex(messages.INFO), "10.0.0.0", PORT)
  while (done.length < 2 && now < 60_000) {
    now += 1
    runTimers()
  }
  expect(done.map((target) => target.outcome())).toMatchObject([
    { _tag: "Answered", target: "10.0.0.0" },
    { _tag: "Failed", target: "10.0.0.1", error: { _tag: "SendFailed", message: "No route.", code: "EHOSTUNREACH" } }
  ])
})

describe("a suspended process", () => {
  const suspend = (ms: number): void => {
    now += ms
  }
  const runFor = (ms: number): void => {
    for (const until = now + ms; now < until;) {
      now += 1
      runTimers()
    }
  }

  it("does not include the time of its suspension in the round-trip time", () => {
    const { socket } = submitTargets(2)
    const challenge = parseHex(messages.challengeHex("0a0b0c0d"))
    runFor(5)
    suspend(900)
    // The datagrams that arrived during the suspension wait in the socket. The process receives them before any timer runs.
    socket.onDatagram(challenge, "10.0.0.0", PORT)
    runFor(20)
    socket.onDatagram(parseHex(messages.INFO), "10.0.0.0", PORT)
    expect(done.map((target) => target.outcome())).toMatchObject([{ _tag: "Answered" }])
    const { rttMs } = done[0]!.outcome() as Answered
    expect(rttMs).toBeGreaterThanOrEqual(19)
    expect(rttMs).toBeLessThan(60)
  })

  it("finds all servers, even if it is suspended repeatedly, and the system reports send errors after each suspension", () => {
    const { engine, socket } = submitTargets(3)
    const refuse = (i: number): void => {
      const peer = { address: `10.0.0.${i}`, port: PORT }
      socket.onFault({ kind: "local", message: "no way", code: "ENETUNREACH", peer })
    }
    for (let rounds = 0; rounds < 8; rounds++) {
      suspend(900)
      for (let i = 0; i < 3; i++) refuse(i)
      runFor(280)
      expect(engine.inFlight).toBe(3)
    }
    runFor(30)
    for (let i = 0; i < 3; i++) socket.onDatagram(parseHex(messages.INFO), `10.0.0.${i}`, PORT)
    expect(done.map((target) => target.outcome()._tag)).toEqual(["Answered", "Answered", "Answered"])
  })
})

describe("a flood", () => {
  it.each([
    ["another address", "10.9.9.9"],
    ["a target", "10.0.0.0"]
  ])("does not delay the timeouts of targets, even if no timer runs: flood from %s", (_, flooder) => {
    const { socket } = submitTargets(3)
    const noise = parseHex(messages.PONG)
    for (; now < 4000; now += 0.02) socket.onDatagram(noise, flooder, PORT)
    expect(done.length).toBe(3)
    expect(done.map((target) => target.outcome()).slice(-2)).toMatchObject([
      { _tag: "Failed", error: { _tag: "Timeout" }, sent: 5 },
      { _tag: "Failed", error: { _tag: "Timeout" }, sent: 5 }
    ])
  })

  it("does not delay the timeouts of targets if the timers run late", () => {
    const { engine, socket } = submitTargets(2)
    const noise = parseHex(messages.PONG)
    for (; now < 4000 && engine.inFlight > 0; now += 0.1) {
      socket.onDatagram(noise, "10.9.9.9", PORT)
      // The event loop runs timers only every 100 ms.
      if (Math.round(now * 10) % 1000 === 0) runTimers()
    }
    expect(engine.inFlight).toBe(0)
    expect(now).toBeLessThan(2500)
  })

  it.each([
    ["fragments", messages.RULES_SPLIT[0]!],
    ["challenges", messages.challengeHex("0a0b0c0d")],
    ["unrelated messages", messages.PONG]
  ])("ends the query to the flooding server after a limited number of datagrams: a flood of %s", (_, hex) => {
    for (const query of ["info", "rules", "all"] as const) {
      done = []
      const { engine, socket } = submitTargets(1, query)
      const bytes = parseHex(hex)
      for (let i = 0; i <= MAX_TARGET_DATAGRAMS && engine.inFlight > 0; i++) socket.onDatagram(bytes, "10.0.0.0", PORT)
      expect(engine.inFlight).toBe(0)
      const [result] = done.map((target) => target.outcome())
      expect(result!.received).toBeLessThanOrEqual(MAX_TARGET_DATAGRAMS + 1)
      expect(sent).toBeLessThan(40)
      sent = 0
      const before = engine.counters.unsolicited
      socket.onDatagram(bytes, "10.0.0.0", PORT)
      expect(engine.counters.unsolicited).toBe(before + 1)
    }
  })

  it("ends the query to the flooding server with LimitExceeded, not with a timeout, if all datagrams are copies of one fragment", () => {
    const { socket } = submitTargets(1, "rules")
    const fragment = parseHex(messages.RULES_SPLIT[0]!)
    for (let i = 0; i <= MAX_TARGET_DATAGRAMS; i++) socket.onDatagram(fragment, "10.0.0.0", PORT)
    expect(done.map((target) => target.outcome())).toMatchObject([
      { error: { _tag: "LimitExceeded", limit: "MAX_TARGET_DATAGRAMS", max: MAX_TARGET_DATAGRAMS } }
    ])
  })
})
