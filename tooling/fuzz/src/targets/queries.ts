/** The query machine, alone, three in a row and behind the engine: any datagrams at any time, from anybody. */
import {
  CallbackRequest,
  Engine,
  Limits,
  Query,
  QueryExchange,
  RoundTrip,
  ServerExchange,
  Step
} from "@sourcewire/core/machines"
import type { EngineSocket } from "@sourcewire/core/machines"
import { toHex } from "@sourcewire/protocol"
import { connectionless, Reassembler } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { isDeepStrictEqual } from "node:util"
import { Random } from "../engine/random.ts"
import type { Input } from "../Input.ts"
import { replies, splits } from "../seeds.ts"
import { VirtualTime } from "../../../testing/VirtualTime.ts"
import { must, type Target } from "../Target.ts"

/** What a query is allowed, by a byte of the input: three seconds, up to eight retransmissions, and jitter that is the same again. */
const settingsOf = (seed: number) =>
  ({ timeoutMs: 3000, retries: seed % 9, encoding: "auto", random: new Random(seed).next }) as const

type AnyQuery = Query.Query<unknown>

const QUERIES: ReadonlyArray<AnyQuery> = [
  Query.info,
  Query.players,
  Query.rules,
  Query.challenge,
  Query.ping,
  Query.infoPing,
  Query.anyPing
] as ReadonlyArray<AnyQuery>

/** The most that any conversation may make a client send: every try leads to all rounds of challenges, and once more for damage. */
const mostSent = (retries: number): number => 2 * (retries + 2) * (Limits.MAX_CHALLENGE_ROUNDS + 2)

/** An exchange in virtual time; deadlines that pass on the way are kept. */
class Course<E extends QueryExchange<unknown> | ServerExchange> {
  now = 0
  readonly exchange: E
  readonly packets: Array<string> = []
  received = 0

  constructor(exchange: E) {
    this.exchange = exchange
    this.#take(exchange.start(0))
  }

  waitUntil(at: number): void {
    while (this.exchange.result === undefined && this.exchange.deadline <= at) {
      this.now = Math.max(this.now, this.exchange.deadline)
      this.#take(this.exchange.expire(this.now))
    }
    this.now = Math.max(this.now, at)
  }

  receive(datagram: Uint8Array): void {
    const bytes = datagram.slice()
    this.received++
    this.#take(this.exchange.receive(bytes, this.now))
    bytes.fill(0xcc)
  }

  #take(step: Step): void {
    const { deadline, packet, result } = this.exchange
    must((step === Step.Done) === (result !== undefined), "done without a result, or a result without being done")
    if (step === Step.Send) this.packets.push(toHex(packet))
    if (step === Step.Done) return
    const endsAt = this.exchange instanceof ServerExchange ? 9000 : 3000
    must(deadline <= endsAt && deadline >= this.now, "waits beyond its time")
  }
}

const START = Uint8Array.of(0, 8)

/** A first part that says what is asked and how often, then events: time passed / 16 ms, then the datagram. */
const conversation = (kind: number, ...parts: ReadonlyArray<Uint8Array>): Input => [
  START.with(0, kind),
  ...parts.map((part) => Uint8Array.of(3, 0, ...part))
]

const CHALLENGE = connectionless("A\x0a\x0b\x0c\x0d")
const SECOND = connectionless("A\x01\x02\x03\x04")

const conversations = (): ReadonlyArray<Input> => [
  ...replies.flatMap((reply) => [0, 1, 2].map((kind) => conversation(kind, CHALLENGE, reply))),
  ...splits.map((fragments, i) => conversation(i % 3, CHALLENGE, ...fragments)),
  ...QUERIES.map((_, kind) => conversation(kind, CHALLENGE, SECOND, CHALLENGE)),
  ...QUERIES.map((_, kind) =>
    conversation(kind, connectionless("j00000000000000"), connectionless("lBanned by server\n"))
  ),
  ...QUERIES.map((_, kind) => conversation(kind, connectionless("9No challenge for your address.\n\0")))
]

/** Datagrams of the asked server, whatever it says. */
export const queryExchange: Target = {
  name: "query exchange",
  holds: "no throw; ends in time; sends within its bound; an answer is what some datagram (or joined reply) says",
  covers: /^packages\/core\/src\/(query|engine\/(Exchange|RoundTrip|retransmission))/,
  weight: 6,
  events: true,
  steering: 2,
  maxBytes: 8192,
  baseSteps: 3_000_000,
  stepsPerByte: 400,
  seeds: conversations,
  run: ([how = START, ...events]) => {
    const asked = QUERIES[(how[0] ?? 0) % QUERIES.length]!
    const settings = settingsOf(how[1] ?? 0)
    const course = new Course(new QueryExchange(asked, settings, new RoundTrip()))
    const reassembler = new Reassembler()
    const whole: Array<Uint8Array> = []
    for (const event of events) {
      course.waitUntil(course.now + (event[0] ?? 0) * 16)
      const datagram = event.subarray(2)
      if (course.exchange.result !== undefined) break
      const joined = reassembler.add(datagram)
      if (Result.isSuccess(joined) && joined.success !== undefined) whole.push(joined.success.bytes)
      else if (Result.isFailure(joined)) whole.push(datagram)
      course.receive(datagram)
    }
    course.waitUntil(3000)
    const { result, sent } = course.exchange
    must(result !== undefined, "the exchange does not end in time")
    must(sent === course.packets.length && sent <= mostSent(settings.retries), `sent ${sent} datagrams`)
    JSON.stringify(result)
    if (Result.isFailure(result)) return
    const said = whole.some((bytes) => isDeepStrictEqual(asked.decode(bytes, settings.encoding), result))
    must(said, "an answer that nobody gave")
  }
}

const DAMAGED = splits[0]![0]!

/** INFO, PLAYER and RULES of the asked server, whatever it says. */
export const serverExchange: Target = {
  name: "server exchange",
  holds:
    "no throw; ends in time; sends within its bound and counts what it sends and hears; nothing is both there and missing",
  covers: /^packages\/core\/src\/query\/ServerExchange/,
  weight: 4,
  events: true,
  steering: 2,
  maxBytes: 8192,
  baseSteps: 3_000_000,
  stepsPerByte: 800,
  seeds: () => [
    ...replies.map((reply) => conversation(0, CHALLENGE, reply, ...replies, ...splits.flat())),
    ...splits.map((fragments) => conversation(0, ...replies, DAMAGED, ...fragments))
  ],
  run: ([how = START, ...events]) => {
    const settings = settingsOf(how[1] ?? 0)
    const course = new Course(new ServerExchange(settings, new RoundTrip()))
    const { exchange } = course
    for (const event of events) {
      course.waitUntil(course.now + (event[0] ?? 0) * 16)
      if (exchange.result !== undefined) break
      course.receive(event.subarray(2))
    }
    course.waitUntil(9000)
    const { received, result, sent } = exchange
    must(result !== undefined, "the exchange does not end in time")
    must(sent === course.packets.length && sent <= 3 * mostSent(settings.retries), `sent ${sent} datagrams`)
    must(received === course.received, `counts ${received} of ${course.received} datagrams`)
    if (Result.isFailure(result)) return
    const { errors, players, rules } = exchange.replies
    must((players === undefined) === (errors?.players !== undefined), "PLAYER neither failed nor succeeded, or both")
    must((rules === undefined) === (errors?.rules !== undefined), "RULES neither failed nor succeeded, or both")
    JSON.stringify(exchange.replies)
  }
}

const SERVER = { address: "192.0.2.1", port: 27_015 }

/** Who speaks, by the event's second byte: mostly the server, sometimes somebody with nearly its address. */
const SENDERS = [
  SERVER,
  SERVER,
  { ...SERVER, port: 27_016 },
  { ...SERVER, address: "192.0.2.11" },
  { address: "2001:db8::1", port: 27_015 },
  { address: "::ffff:192.0.2.1", port: 27_015 }
]

/** What one client sends and gets, with those senders heard that `isHeard` lets through. */
const outcome = (how: Uint8Array, events: Input, isHeard: (sender: number) => boolean) => {
  const time = new VirtualTime()
  const engine = new Engine({ timing: time })
  const socket: EngineSocket = engine.socket()
  const sent: Array<string> = []
  socket.attach({
    local: { address: "192.0.2.2", port: 1 },
    send: (bytes, address, port) => void sent.push(`${time.now()} ${address} ${port} ${toHex(bytes)}`)
  })
  const exchange = new QueryExchange(QUERIES[(how[0] ?? 0) % QUERIES.length]!, settingsOf(how[1] ?? 0))
  let done = 0
  engine.submit(socket, new CallbackRequest(exchange, SERVER.address, SERVER.port, () => void done++))
  for (const event of events) {
    time.goTo(time.now() + (event[0] ?? 0) * 16)
    const sender = (event[1] ?? 0) % SENDERS.length
    if (!isHeard(sender)) continue
    const bytes = event.slice(2)
    socket.onDatagram(bytes, SENDERS[sender]!.address, SENDERS[sender]!.port)
    bytes.fill(0xcc)
  }
  time.goTo(10_000)
  must(done === 1 && engine.inFlight === 0 && socket.inFlight === 0, "the engine still holds a query that has ended")
  return { result: exchange.result, sent, rtt: exchange.rtt }
}

/** The same query with and without strangers. */
export const senders: Target = {
  name: "senders",
  holds: "what other addresses and ports send changes nothing: not the answer, not what is sent, not when",
  covers: /^packages\/core\/src\/engine\/(Engine|InFlight)/,
  weight: 4,
  events: true,
  steering: 2,
  maxBytes: 8192,
  baseSteps: 6_000_000,
  stepsPerByte: 800,
  seeds: () =>
    conversations().map(([how = START, ...events]) => [
      how,
      ...events.flatMap((event, i) => [event.with(1, 2 + (i % 4)), event])
    ]),
  run: ([how = START, ...events]) => {
    const all = outcome(how, events, () => true)
    const alone = outcome(how, events, (sender) => SENDERS[sender] === SERVER)
    must(isDeepStrictEqual(all, alone), "a stranger's datagram made a difference")
  }
}
