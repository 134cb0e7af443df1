import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import { Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"

import { describe, expect, it } from "vitest"
import { type Call, complaints, listFunctions, type Row } from "../../../tooling/testing/hostile.ts"
import { overTransport } from "../../../tooling/testing/hostileServers.ts"
import * as server from "../src/index.ts"
import * as machines from "../src/Machines.ts"
import { profile } from "./profile.ts"

const network = Effect.runSync(makeNetwork())
const streams = Layer.succeed(Streams, {
  connect: () => Effect.die("These tests do not open connections."),
  listen: () => Effect.succeed({ local: { address: "127.0.0.1", port: 1 } })
})
const transport = Layer.merge(networkLayer(network), streams)

const { effect, started } = overTransport(transport, () => network.openSockets)

const limit = () => ({ perSecond: 5, burst: 10, answerBytes: 4096, addresses: 64 })
const listening = () => ({ transport, host: "127.0.0.1", port: 0, limit: limit(), allowAmplification: false })
const masterOptions = () => ({
  ...listening(),
  servers: [{ address: "192.0.2.1:27015" }],
  profile: "valve",
  repliesToUnverified: false
})
const rconOptions = () => ({
  password: Redacted.make("secret"),
  handler: () => "",
  host: "127.0.0.1",
  port: 0,
  attempts: { maxFailures: 5, windowMs: 1000, banMs: 1000 },
  encoding: "auto"
})
const sourceOptions = () => ({
  ...rconOptions(),
  behaviour: { maxBodyBytes: 4086, mirror: "source", login: "verdict" },
  maxConnections: 4,
  loginTimeoutMs: 1000,
  idleTimeoutMs: 1000,
  segments: { segmentBytes: 100 }
})
const udpOptions = () => ({ ...rconOptions(), dialect: "goldsource", maxTextBytes: 1000 })
const time = () => ({ year: 2026, month: 11, day: 21, hour: 4, minute: 0, second: 0 })
const datagram = () => Uint8Array.of(255, 255, 255, 255, 0x55, 255, 255, 255, 255)
const number = () => 5
const logSender = () => ({
  format: "source",
  secret: Redacted.make("123"),
  encoding: "auto",
  targets: [{ address: "127.0.0.1", port: 27500 }],
  host: "127.0.0.1",
  port: 0
})

const answering =
  (make: (...args: ReadonlyArray<never>) => machines.Answering): Call =>
  (...args) =>
    make(...args).respond(datagram(), "127.0.0.1", 1, 0)

const rows: Readonly<Record<string, Row>> = {
  ChallengeIssuer: {
    call: (...args) => new machines.ChallengeIssuer(...args).issue("127.0.0.1", 1, 0),
    good: [() => ({ bind: "address", lifetimeMs: 1000, rotateMs: 2000, makeKey: () => new Uint8Array(16) })]
  },
  RateLimiter: {
    call: (...args) => new server.RateLimiter(...(args as unknown as [never])).allows("127.0.0.1", 0, 1),
    good: [limit]
  },
  Responder: {
    call: answering((...args) => new server.Responder(...(args as unknown as [never]))),
    good: [profile, () => ({ firstSplitId: 1, onError: () => {}, compress: () => new Uint8Array() })]
  },
  HandshakeResponder: {
    call: answering((...args) => new machines.HandshakeResponder(...args)),
    good: [
      () => ({
        authProtocol: 3,
        encryptionKey: datagram(),
        rest: datagram(),
        repliesToUnverified: false,
        challenge: {}
      })
    ]
  },
  MasterResponder: {
    call: answering((...args) => new machines.MasterResponder(...(args as unknown as [never]))),
    good: [() => ({ servers: [{ address: "192.0.2.1:27015" }], profile: "valve", repliesToUnverified: false })]
  },
  makeMaster: { call: effect(server.makeMaster), good: [masterOptions] },
  startMaster: { call: started(server.startMaster), good: [masterOptions] },
  makeSourceRcon: { call: effect(server.makeSourceRcon), good: [sourceOptions] },
  makeGoldSourceRcon: { call: effect(server.makeGoldSourceRcon), good: [udpOptions] },
  interceptGoldSource: { call: effect(machines.interceptGoldSource), good: [udpOptions] },
  startRconServer: {
    call: started(server.startRconServer),
    good: [() => ({ ...sourceOptions(), transport, engine: "source", password: "secret" })]
  },
  logLine: { call: machines.logLine, good: [() => "text", time] },
  logDatagram: {
    call: machines.logDatagram,
    good: [() => "text", time, () => ({ format: "source", secret: Redacted.make("123"), encoding: "auto" })]
  },
  makeHttpLogSender: {
    call: effect(server.makeHttpLogSender),
    good: [
      () => ({
        url: "http://127.0.0.1:1/",
        token: "a",
        instance: "b",
        address: "c",
        steamId: "d",
        map: "e",
        retryMs: 5
      })
    ]
  },
  makeLogSender: { call: effect(server.makeLogSender), good: [logSender] },
  challengeReply: { call: machines.challengeReply, good: [number] },
  checkProfile: { call: server.checkProfile, good: [profile] },
  current: { call: server.current, good: [() => 5] },
  inFront: {
    call: (responder, now) => machines.inFront(responder, now)(datagram(), "127.0.0.1", 1, () => {}),
    good: [() => new machines.HandshakeResponder(), () => () => 0]
  }
}

/** Functions of `/machines` that accept objects from users. */
const OF_MACHINES = [
  "ChallengeIssuer",
  "HandshakeResponder",
  "inFront",
  "interceptGoldSource",
  "MasterResponder",
  "challengeReply",
  "logDatagram",
  "logLine"
]

describe("arguments from JavaScript", () => {
  it("are tested for every exported function", () => {
    expect([...listFunctions(server), ...OF_MACHINES].sort()).toEqual(Object.keys(rows).sort())
  })

  for (const [name, row] of Object.entries(rows)) {
    it(`with any arguments, ${name} returns a value or one of our errors`, async () => {
      expect(await complaints(row)).toEqual([])
    }, 60_000)
  }
})
