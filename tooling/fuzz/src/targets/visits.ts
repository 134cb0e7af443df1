/**
 * Two implementations of one set of rules: a scan's visit, which does what is usual by itself, against the query machine.
 *
 * @module
 */
import type { Exchange } from "@sourcewire/core"
import { Query, QueryExchange, Step } from "@sourcewire/core"
import { toHex } from "@sourcewire/protocol"
import type { InfoReply } from "@sourcewire/protocol"
import { connectionless } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { ScanPatience } from "../../../../packages/core/src/scan/timeouts.ts"
import { Reassemblers } from "../../../../packages/core/src/scan/reassemblers.ts"
import { QUERIES, type Reply, Visit } from "../../../../packages/core/src/scan/visit.ts"
import { settingsOf } from "../exchangeSettings.ts"
import type { Input } from "../Input.ts"
import { same } from "../same.ts"
import { replies, splits } from "../seeds.ts"
import { must, type Target } from "../Target.ts"

const KINDS = Object.keys(QUERIES) as ReadonlyArray<keyof typeof QUERIES>

/** Each query as an exchange of its own, the challenge handed on: what a visit stands for. */
class Chain implements Exchange<Reply> {
  readonly patience: ScanPatience
  readonly done: Array<QueryExchange<Reply>> = []
  private readonly queries: ReadonlyArray<Query.Query<Reply>>
  private current: QueryExchange<Reply>

  constructor(queries: ReadonlyArray<Query.Query<Reply>>, patience: ScanPatience) {
    this.queries = queries
    this.patience = patience
    this.current = this.next()
  }

  get result(): Result.Result<Reply, never> | undefined {
    const [first] = this.done
    const isOver = first !== undefined && (Result.isFailure(first.result!) || this.done.length === this.queries.length)
    return isOver ? (first.result as Result.Result<Reply, never>) : undefined
  }

  get deadline(): number {
    return this.current.deadline
  }

  get packet(): Uint8Array {
    return this.current.packet
  }

  start(now: number): Step {
    return this.current.start(now)
  }

  receive(datagram: Uint8Array, now: number): Step {
    return this.follow(this.current.receive(datagram, now), now)
  }

  expire(now: number): Step {
    return this.follow(this.current.expire(now), now)
  }

  fail(): Step {
    throw new Error("nobody ends it from outside")
  }

  private next(): QueryExchange<Reply> {
    const { keptChallenge } = this.done.at(-1) ?? {}
    const query = this.queries[this.done.length]!
    const [first] = this.done
    const asked = query === Query.players && first !== undefined ? Query.playersAfter(infoOf(first)) : query
    return new QueryExchange<Reply>(asked, this.patience, this.patience.roundTrip, keptChallenge)
  }

  private follow(step: Step, now: number): Step {
    if (step !== Step.Done) return step
    this.done.push(this.current)
    if (this.result !== undefined) return Step.Done
    this.current = this.next()
    return this.current.start(now)
  }
}

const infoOf = ({ result }: QueryExchange<Reply>): InfoReply => Result.getOrThrow(result!) as InfoReply

/** What an exchange sends. */
class Sender {
  readonly packets: Array<string> = []
  private readonly exchange: Exchange<Reply>

  constructor(exchange: Exchange<Reply>) {
    this.exchange = exchange
    this.take(exchange.start(0))
  }

  receive(datagram: Uint8Array, now: number): void {
    const bytes = datagram.slice()
    this.take(this.exchange.receive(bytes, now))
    bytes.fill(0xcc)
  }

  expire(now: number): void {
    this.take(this.exchange.expire(now))
  }

  /** Lets time pass until it is over. */
  end(from: number): void {
    let now = from
    for (let steps = 0; this.exchange.result === undefined; steps++) {
      must(steps < 10_000 && Number.isFinite(this.exchange.deadline), "it does not end")
      now = Math.max(now, this.exchange.deadline)
      this.expire(now)
    }
  }

  private take(step: Step): void {
    must((step === Step.Done) === (this.exchange.result !== undefined), "done without a result, or the other way round")
    if (step === Step.Send) this.packets.push(toHex(this.exchange.packet))
  }
}

const SILENCE = new Uint8Array(0)
const CHALLENGE = connectionless("A\x0a\x0b\x0c\x0d")

/** A first part that says what is asked, then events: ms passed, then the datagram; without one, silence. */
const conversation = (kind: number, ...parts: ReadonlyArray<Uint8Array>): Input => [
  Uint8Array.of(kind, 8),
  ...parts.map((part) => Uint8Array.of(3, ...part))
]

/** Datagrams of a server, whatever it says, and silences. */
export const scanVisit: Target = {
  name: "scan visit",
  holds: "no throw; ends in time; sends, hears, gives and learns of the round trip what the query machine would",
  covers: /^packages\/core\/src\/internal\/scan\/(visit|reassemblers|patience)/,
  weight: 4,
  events: true,
  steering: 1,
  maxBytes: 8192,
  baseSteps: 3_000_000,
  stepsPerByte: 800,
  seeds: () => [
    ...replies.flatMap((reply) => [0, 1, 2].map((kind) => conversation(kind, CHALLENGE, reply))),
    ...splits.flatMap((fragments, i) => [
      conversation(i % 3, CHALLENGE, ...fragments),
      conversation(i % 3, ...fragments)
    ]),
    ...replies.flatMap((reply) => [0, 1, 2].map((kind) => conversation(kind, SILENCE, CHALLENGE, SILENCE, reply))),
    ...splits.map(([first, ...rest], i) => conversation(i % 3, CHALLENGE, first!, SILENCE, ...rest)),
    conversation(3, CHALLENGE, ...replies),
    conversation(3, ...replies, ...splits.flat())
  ],
  run: ([how = Uint8Array.of(0, 8), ...events]) => {
    const queries = QUERIES[KINDS[(how[0] ?? 0) % KINDS.length]!]
    const patience = new ScanPatience(settingsOf(how[1] ?? 0))
    const visit = new Visit(
      { queries, patience, reassemblers: new Reassemblers() },
      "192.0.2.1:27015",
      "192.0.2.1",
      27_015,
      1
    )
    const chain = new Chain(queries, new ScanPatience(settingsOf(how[1] ?? 0)))
    const [actual, expected] = [new Sender(visit), new Sender(chain)]
    let now = 0
    // Deadlines are looked at in silence only, and together, since the two have not the same patience.
    for (const event of events) {
      now += (event[0] ?? 0) % 32
      if (visit.result !== undefined || chain.result !== undefined) break
      const datagram = event.subarray(1)
      if (datagram.length > 0) {
        actual.receive(datagram, now)
        expected.receive(datagram, now)
        continue
      }
      now = Math.max(now, visit.deadline, chain.deadline)
      actual.expire(now)
      expected.expire(now)
    }
    must(same(actual.packets, expected.packets), "the two have not sent the same")
    must(same({ ...patience.roundTrip }, { ...chain.patience.roundTrip }), "the two have not learnt the same")
    must((visit.result === undefined) === (chain.result === undefined), "only one of the two has ended")
    if (chain.result !== undefined) compare(visit, chain)
    actual.end(now)
    expected.end(now)
    JSON.stringify(visit.outcome())
  }
}

const compare = (visit: Visit, { done }: Chain): void => {
  must(same(visit.result, done[0]!.result), "the two do not give the same")
  const outcome = visit.outcome()
  const sum = (of: (exchange: QueryExchange<Reply>) => number): number => done.reduce((all, each) => all + of(each), 0)
  must(outcome.received === sum(({ received }) => received), "the two have not heard as much")
  if (outcome._tag === "Failed") return
  // A visit may know from PLAYER or RULES what its first query could not tell.
  const { rttAmbiguous, rttMs } = outcome
  const isToldLater = rttAmbiguous === undefined && done.length > 1 && done[0]!.rtt!.rttAmbiguous === true
  const rtt = rttAmbiguous === undefined ? { rttMs } : { rttMs, rttAmbiguous }
  must(isToldLater || same(rtt, done[0]!.rtt), "the two do not tell the same round trip")
  const { errors, players, rules } = outcome as { errors?: object; players?: Reply; rules?: Reply }
  const part = (name: "players" | "rules", value: Reply | undefined, place: number): void => {
    const exchange = done[place]
    if (exchange === undefined) return
    const failed = (errors as Readonly<Record<string, object | undefined>> | undefined)?.[name]
    const given = failed === undefined ? Result.succeed(value) : Result.fail(failed)
    must(same(given, exchange.result), `the two do not give the same ${name}`)
  }
  if (done.length === 1) return
  part("players", players, 1)
  part("rules", rules, 2)
}
