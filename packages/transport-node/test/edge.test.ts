import type { PromiseClient } from "@sourcewire/core"
import type { ClientShape } from "@sourcewire/core/query"
import type { Datagrams, Streams } from "@sourcewire/core/transport"
import * as users from "@sourcewire/core"
import * as addresses from "@sourcewire/core/address"
import * as engine from "@sourcewire/core/engine"
import * as log from "@sourcewire/core/log"
import * as master from "@sourcewire/core/master"
import * as query from "@sourcewire/core/query"
import * as rcon from "@sourcewire/core/rcon"
import * as scan from "@sourcewire/core/scan"
import * as promises from "@sourcewire/core/promises"
import * as texts from "@sourcewire/core/text"
import * as testing from "@sourcewire/core/testing"
import * as seams from "@sourcewire/core/transport"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Call, complaints, listFunctions, type Row } from "../../../tooling/testing/hostile.ts"
import { layer } from "../src/effect.ts"
import * as node from "../src/index.ts"
import * as transport from "../src/transport.ts"

const topics = [
  users,
  addresses,
  engine,
  log,
  master,
  query,
  rcon,
  scan,
  seams,
  texts,
  { NetworkPath: testing.NetworkPath }
]
const core = {
  ...users,
  ...addresses,
  ...engine,
  ...log,
  ...master,
  ...query,
  ...rcon,
  ...scan,
  ...seams,
  ...texts
}
const TIMES = { timeoutMs: 20, retries: 0 }

/** A socket that never replies, so that queries to it time out. */
const silent = createSocket("udp4")
let address = ""
let client: PromiseClient

const unhandled: Array<unknown> = []
const onUnhandled = (reason: unknown): void => void unhandled.push(reason)

beforeAll(async () => {
  process.on("unhandledRejection", onUnhandled)
  silent.bind(0, "127.0.0.1")
  await once(silent, "listening")
  address = `127.0.0.1:${silent.address().port}`
  client = await node.connect(TIMES)
})

afterAll(async () => {
  await client.close()
  silent.close()
  process.off("unhandledRejection", onUnhandled)
  expect(unhandled).toEqual([])
})

const target = () => address
/** The address of a closed port, so that queries to it fail immediately. */
const closedPort = () => "127.0.0.1:9"
const signal = () => new AbortController().signal
const queryOptions = () => ({ ...TIMES, encoding: "auto", family: 4, signal: signal() })
const clientLayer = Layer.provide(core.Client.layer(TIMES), layer)

/** Runs an effect over the real transport, and throws its error. */
const runEffect = async (effect: unknown): Promise<unknown> => {
  const program = effect as Effect.Effect<unknown, unknown, Datagrams | Streams>
  const exit = await Effect.runPromiseExit(Effect.scoped(program).pipe(Effect.provide(layer)))
  if (Exit.isFailure(exit)) throw Cause.squash(exit.cause)
  return exit.value
}

const drain = async (source: unknown): Promise<void> => {
  let count = 0
  for await (const _ of source as AsyncIterable<unknown>) if (++count > 100) return
}

const closeAtOnce = async (opened: Promise<AsyncDisposable>): Promise<void> => (await opened)[Symbol.asyncDispose]()

const scanOptions = () => ({
  ...TIMES,
  concurrency: 5,
  rate: 1000,
  perHost: 4,
  perNetwork: 4,
  exclude: ["10.0.0.0/8"],
  sockets: 1,
  onDuplicate: () => {},
  progress: new core.ScanProgress(),
  stop: signal(),
  signal: signal(),
  random: () => 0.5
})

const scanning =
  (scan: typeof node.scan): Call =>
  (...args) =>
    drain(scan(...(args as unknown as [string])))

const logOptions = () => ({
  host: "127.0.0.1",
  port: 0,
  from: ["127.0.0.1"],
  secret: Redacted.make("secret"),
  encoding: "auto",
  capacity: 5,
  showPasswords: false
})

const masterOptions = () => ({
  ...queryOptions(),
  region: "world",
  filter: "\\gamedir\\cstrike",
  pageIntervalMs: 1,
  maxServers: 5,
  maxPages: 1,
  seed: "0.0.0.0:0"
})

const rconOptions = () => ({
  password: "secret",
  engine: "goldsource",
  timeoutMs: 20,
  totalTimeoutMs: 40,
  encoding: "auto",
  terminator: "auto",
  reconnect: false,
  trace: () => {},
  random: () => 0.5,
  signal: signal()
})

const range = () => Result.getOrThrow(core.IpRanges.parse("10.0.0.0/30"))
const time = () => ({ year: 2026, month: 11, day: 21, hour: 4, minute: 0, second: 0, millisecond: 5 })
const logDatagram = () =>
  new TextEncoder().encode("\u00ff").constructor && Uint8Array.of(255, 255, 255, 255, 0x52, 0x4c)
const text = () => "text"
const withClient = (call: (client: ClientShape) => Effect.Effect<unknown, unknown>) =>
  runEffect(core.Client.use(call).pipe(Effect.provide(clientLayer)))

const { IpRanges, LogEntry, MasterFilter } = core

const clientCalls: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(
    (["info", "players", "rules", "challenge", "query"] as const).map((name) => [
      `client.${name}`,
      { call: (...args) => client[name](...(args as unknown as [string])), good: [target, queryOptions] }
    ])
  ),
  "client.ping": {
    call: (...args) => client.ping(...(args as unknown as [string])),
    good: [target, () => ({ ...queryOptions(), via: "auto" })]
  },
  "client.queryKind": {
    call: (...args) => client.queryKind(...(args as unknown as ["info", string])),
    good: [() => "info", target, queryOptions]
  },
  "client.handshake": {
    call: (...args) => client.handshake(...(args as unknown as [string])),
    good: [closedPort, () => ({ ...queryOptions(), challenge: 7 })]
  },
  "client.handshake (Effect)": {
    call: (...args) => withClient((shape) => shape.handshake(...(args as unknown as [string]))),
    good: [closedPort, () => ({ ...TIMES, challenge: 7 })]
  },
  "client.run (Effect)": {
    call: (...args) => withClient((shape) => shape.run(...(args as unknown as [string, never]))),
    good: [
      target,
      () => (): never => {
        throw new core.InvalidOption({ message: "make is not wanted here.", option: "make" })
      },
      () => TIMES
    ]
  }
}

const rows: Readonly<Record<string, Row>> = {
  parseAddress: { call: core.parseAddress, good: [target, () => 27015] },
  toAddress: { call: core.toAddress, good: [() => ({ host: "127.0.0.1", port: 1, family: 4 })] },
  formatAddress: { call: core.formatAddress, good: [() => ({ host: "127.0.0.1", port: 1 })] },
  canonicalAddress: { call: core.canonicalAddress, good: [() => "127.0.0.1"] },
  "IpRanges.parse": { call: IpRanges.parse, good: [() => "10.0.0.0/8"] },
  "IpRanges.isRange": { call: IpRanges.isRange, good: [range] },
  "IpRanges.size": { call: IpRanges.size, good: [range] },
  "IpRanges.contains": { call: IpRanges.contains, good: [range, () => "10.0.0.1"] },
  "IpRanges.covers": { call: IpRanges.covers, good: [range, range] },
  "IpRanges.network": { call: IpRanges.network, good: [() => "fd00::1", () => 64] },
  "IpRanges.listAddresses": {
    call: (...args) => drain(IpRanges.listAddresses(...(args as unknown as [never]))),
    good: [range]
  },
  "LogEntry.formatTime": { call: LogEntry.formatTime, good: [time] },
  "LogEntry.openDatagram": { call: LogEntry.openDatagram, good: [logDatagram] },
  "LogEntry.withoutPasswords": { call: LogEntry.withoutPasswords, good: [logDatagram] },
  csvCell: { call: texts.csvCell, good: [text] },
  "LogEntry.parseHead": { call: LogEntry.parseHead, good: [text] },
  "LogEntry.readLine": {
    call: LogEntry.readLine,
    good: [() => ({ format: "source", plain: logDatagram() }), () => ({ encoding: "auto", showPasswords: false })]
  },
  "logs (Effect)": { call: (...args) => runEffect(core.logs(...(args as unknown as []))), good: [logOptions] },
  masterPages: {
    call: (...args) =>
      runEffect(Stream.runDrain(core.masterPages(...(args as unknown as [string]))).pipe(Effect.provide(clientLayer))),
    good: [target, masterOptions]
  },
  "master (Effect)": {
    call: (...args) =>
      runEffect(Stream.runDrain(core.master(...(args as unknown as [string]))).pipe(Effect.provide(clientLayer))),
    good: [target, masterOptions]
  },
  masterWith: {
    call: (...args) => drain(core.masterWith(...(args as unknown as [never]))(address, TIMES)),
    good: [() => layer]
  },
  "MasterFilter.isGroup": { call: MasterFilter.isGroup, good: [() => ({ operator: "nor", terms: [] })] },
  "MasterFilter.toTerms": {
    call: MasterFilter.toTerms,
    good: [
      () => ({ map: "de_dust2", appId: 10, tags: ["a"], linux: true, none: [{ secure: true }], other: { key: 1 } })
    ]
  },
  "MasterFilter.format": {
    call: MasterFilter.format,
    good: [() => [{ key: "map", value: "de_dust2" }]]
  },
  "MasterFilter.parse": { call: MasterFilter.parse, good: [() => "\\map\\de_dust2"] },
  "Query.playersAfter": { call: core.Query.playersAfter, good: [() => ({ players: 0, bots: 0 })] },
  "rcon (Effect)": {
    call: (...args) => runEffect(core.rcon(...(args as unknown as [string, never]))),
    good: [target, () => ({ ...rconOptions(), password: Redacted.make("secret") })]
  },
  TokenBucket: {
    call: (...args) => new core.TokenBucket(...(args as unknown as [number])).take(0),
    good: [() => 5, () => 1]
  },
  RoundTrip: { call: () => new core.RoundTrip(), good: [] },
  ScanProgress: { call: () => new core.ScanProgress(), good: [] },
  connectWith: {
    call: (...args) => closeAtOnce(core.connectWith(...(args as unknown as [never]))()),
    good: [() => layer]
  },
  logsWith: {
    call: (...args) => closeAtOnce(core.logsWith(...(args as unknown as [never]))()),
    good: [() => layer, () => layer]
  },
  rconWith: {
    call: (...args) => closeAtOnce(core.rconWith(...(args as unknown as [never]))(address, rconOptions() as never)),
    good: [() => layer]
  },
  scanWith: {
    call: (...args) => drain(core.scanWith(...(args as unknown as [never]))([address], "info", TIMES)),
    good: [() => layer]
  },
  readSettings: {
    call: core.readSettings,
    good: [queryOptions, () => ({ ...TIMES, onDatagram: () => {}, random: () => 0.5 })]
  },
  "scan (Effect)": {
    call: (...args) => runEffect(Stream.runDrain(core.scan(...(args as unknown as [string])))),
    good: [() => [address], () => "info", scanOptions]
  },
  scanBatches: {
    call: (...args) => runEffect(Stream.runDrain(core.scanBatches(...(args as unknown as [string])))),
    good: [() => [address], () => "info", scanOptions]
  },
  "connect (Effect)": { call: (...args) => runEffect(users.connect(...(args as unknown as []))), good: [() => TIMES] },
  rulesRecord: { call: core.rulesRecord, good: [() => ({ rules: [{ name: "a", value: "b" }] })] },
  readStatus: { call: core.readStatus, good: [text] },
  mergeRoster: {
    call: core.mergeRoster,
    good: [
      () => ({ players: [{ name: "a", score: 1, duration: 2 }] }),
      () => ({ players: [{ userId: 1, name: "a", isBot: false }], fields: {}, unread: [] })
    ]
  },
  colourRuns: { call: core.colourRuns, good: [text] },
  withoutColours: { call: core.withoutColours, good: [text] },
  displayJson: { call: core.displayJson, good: [text] },
  displayText: { call: core.displayText, good: [text] },
  isolated: { call: core.isolated, good: [text] },
  connect: {
    call: (...args) => closeAtOnce(node.connect(...(args as unknown as []))),
    good: [() => ({ ...TIMES, encoding: "auto", family: 4, onDatagram: () => {}, random: () => 0.5 })]
  },
  rcon: {
    call: (...args) => closeAtOnce(node.rcon(...(args as unknown as [string, never]))),
    good: [target, rconOptions]
  },
  master: {
    call: (...args) => drain(node.master(...(args as unknown as [string]))),
    good: [target, masterOptions]
  },
  logs: { call: (...args) => closeAtOnce(node.logs(...(args as unknown as []))), good: [logOptions] },
  scan: { call: scanning(node.scan), good: [() => [address], () => "info", scanOptions] },
  "transport.resolve": {
    call: (...args) => runEffect(transport.resolve(...(args as unknown as [string]))),
    good: [() => "127.0.0.1", () => 4]
  }
}

/** Exported functions and classes that this file does not test, because only TypeScript programs and our transports call them. */
const PARTS = [
  "Client",
  "Datagrams",
  "NetworkPath",
  "lookUp",
  "Streams",
  "Engine",
  "EngineSocket",
  "InFlight",
  "CallbackRequest",
  "ConnectionSession",
  "HandshakeExchange",
  "MasterPageExchange",
  "MasterPaging",
  "ServerExchange",
  "ScanBudget",
  "QueryExchange",
  "Retry",
  "startRunning",
  "toSocketFault",
  "ipv4Number",
  "openFailed",
  "transport.batched",
  "transport.whyUnbatched"
]

describe("arguments from JavaScript", () => {
  it("are tested for every exported function", () => {
    const exported = [
      ...topics.flatMap((module) => listFunctions(module)),
      // The index of the transport also exports errors and helpers of core. They are excluded here, because `topics` already contains them.
      ...listFunctions(node).filter((name) => !(name in promises)),
      ...listFunctions(transport, "transport.")
    ]
    expect(exported.sort()).toEqual(
      [...Object.keys(rows).map((name) => name.replace(" (Effect)", "")), ...PARTS].sort()
    )
  })

  it("are tested for every method of a client except `close`", () => {
    const calls = Object.entries(client).flatMap(([name, value]) =>
      typeof value === "function" ? [`client.${name}`] : []
    )
    expect(calls.filter((name) => name !== "client.close").sort()).toEqual(
      Object.keys(clientCalls)
        .filter((name) => !name.endsWith(" (Effect)"))
        .sort()
    )
  })

  for (const [name, row] of Object.entries({ ...rows, ...clientCalls })) {
    it(`with any arguments, ${name} returns a value or one of our errors`, async () => {
      expect(await complaints(row)).toEqual([])
    }, 60_000)
  }
})
