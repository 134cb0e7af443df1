/**
 * Runs many queries over a simulated network with faults, in virtual time. Each query has its own server. The simulation uses the engine
 * and the state machines of our client, and our responder, with default settings. Two simulations with the same seed and the same faults
 * have the same result.
 */
import { CallbackRequest, Engine, Limits } from "@sourcewire/core/engine"
import { type Query, Query as Queries, QueryExchange } from "@sourcewire/core/query"
import { MemoryNetwork, seededRandom } from "@sourcewire/core/testing"
import type { DatagramHandle, DatagramHandler, OpenOptions } from "@sourcewire/core/transport"
import { type Profile, Responder } from "@sourcewire/server"
import { challengeReply, compress } from "@sourcewire/server/machines"
import { decode, encode, type Message, toHex } from "@sourcewire/protocol"
import { connectionless } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { BadMachine, type MachineFaults } from "./BadMachine.ts"
import { VirtualTime } from "../../../../tooling/testing/VirtualTime.ts"
import { profiles } from "../../src/index.ts"

type NetworkFaults = MemoryNetwork["faults"]

/** Faults of the network and of the machine. */
export interface Faults extends NetworkFaults, MachineFaults {
  /**
   * For each datagram of a server, the probability that spoofed datagrams follow this datagram. The spoofed datagrams are well-formed. Each
   * spoofed datagram comes from the address of the server or from the port of the server, but not from both.
   */
  readonly forgery?: number
  /**
   * Whether the client receives datagrams that the network has changed (default: `false`, because UDP's checksum detects every change of
   * one byte).
   */
  readonly withoutChecksum?: boolean
}

/** Counts of the results of queries, initially all 0. */
export class Tally {
  queries = 0
  /** Queries whose result is the content that the server sent. */
  right = 0
  /** Queries that ended with an error. */
  failed = 0
  /** Queries whose result differs from the content that the server sent, although the client could have detected the fault. This number must stay 0. */
  wrong = 0
  /**
   * Queries whose result differs from the content that the server sent, because the network changed a datagram of an uncompressed reply.
   * The client cannot detect this change.
   */
  altered = 0
  /** Replies with a round-trip time that is marked as ambiguous. */
  ambiguousRtts = 0
  /** Replies with an impossible round-trip time that is not marked as ambiguous. This number must stay 0. */
  falseRtts = 0
  /** Datagrams that the client sent. */
  sent = 0
  /** Expected number of datagrams that a client sends if it detects every loss immediately. */
  best = 0
}

/** A query of the matrix. */
interface MatrixQuery {
  readonly profile: Profile
  readonly query: Query.Query<unknown>
  readonly accepted: ReadonlySet<string>
  readonly compressed: boolean
  /** Number of datagrams in the reply. */
  readonly fragments: number
  /** Number of requests that the client sends if no datagram is lost: 2 if the server requires a challenge, otherwise 1. */
  readonly rounds: number
}

/** Encodes and decodes a server's reply, and returns the decoded content as JSON. */
const formatContent = (message: unknown): string =>
  JSON.stringify(Result.getOrThrow(Result.flatMap(encode(message as Message), (bytes) => decode(bytes))))

const makeQuery = (
  profile: Profile,
  query: Query.Query<never> | Query.Query<unknown>,
  live: ReadonlyArray<unknown>,
  fragments: number,
  rounds = 2
): MatrixQuery => ({
  profile,
  query: query as Query.Query<unknown>,
  accepted: new Set(live.map(formatContent)),
  compressed: profile.oversize.bzip2 === true && fragments > 1,
  fragments,
  rounds
})

const countFragments = (profile: Profile, kind: "U" | "V"): number => {
  const responder = new Responder(profile, { compress })
  const number = responder.challenges.issue("192.0.2.1", 1, 0)
  return responder.respond(challengeReply(number).with(4, kind.charCodeAt(0)), "192.0.2.1", 1, 0).length
}

const [css, tf2, cs16, ship] = [profiles.css(), profiles.tf2(), profiles.cs16(), profiles.ship()]

/**
 * The queries of a simulation. A reply is a single datagram or a split reply. The replies cover both dialects, all three layouts of split
 * replies, and compression. Some of the servers require a challenge.
 */
const MIX: ReadonlyArray<MatrixQuery> = [
  makeQuery(css, Queries.info, [css.info], 1),
  makeQuery(css, Queries.players, [css.players], 1),
  makeQuery(css, Queries.rules, [css.rules], countFragments(css, "V")),
  makeQuery(tf2, Queries.rules, [tf2.rules], countFragments(tf2, "V")),
  makeQuery(cs16, Queries.info, [cs16.info, cs16.legacyInfo], 1),
  makeQuery(cs16, Queries.rules, [cs16.rules], countFragments(cs16, "V")),
  makeQuery(ship, Queries.info, [ship.info], 1, 1),
  makeQuery(ship, Queries.players, [ship.players], 1)
]

/**
 * Returns the expected number of datagrams that an ideal client sends. Such a client detects every loss immediately, and sends a request again until the
 * complete reply has arrived.
 */
const countExpectedSends = ({ fragments, rounds }: MatrixQuery, loss: number): number => {
  const challenge = (1 - loss) ** -2
  return (rounds - 1) * challenge + (1 - loss) ** -(1 + fragments)
}

const FORGED = ["A\0\0\0\x42", "D\x01\0forged\0\0\0\0\0\0\0\0\0", "E\x01\0forged\x001\0", "lforged\n\0"].map(
  connectionless
)
const FORGED_INFO = Result.getOrThrow(encode({ ...(css.info as Message), name: "forged" } as Message))

/** Returns a function that opens sockets on the network. The sockets need no scope, because the whole network is discarded later. */
const makeOpener =
  (network: MemoryNetwork) =>
  (options: OpenOptions, handler: DatagramHandler): DatagramHandle =>
    Effect.runSync(Scope.provide(network.datagrams.open(options, handler), Scope.makeUnsafe()))

const SERVER_HOST = "127.0.0.2"
const FIRST_PORT = 1024

/** Number of queries that share a network. Each query goes to a server with its own port. */
const BATCH = 2000

/** Whether this round-trip time is possible on the network. */
const isPossible = (rttMs: number, faults: Faults): boolean => {
  const { delayMs = 1, jitterMs = 0, reorderMs = 50, reorder = 0, stoppedMs = 0 } = faults
  const longest = delayMs + jitterMs + (reorder > 0 ? reorderMs : 0)
  // A stopped process receives a reply up to `stoppedMs` late. Both limits have a tolerance of 0.001 ms for rounding errors.
  return rttMs > 2 * delayMs - 0.001 && rttMs < 2 * longest + stoppedMs + 0.001
}

const simulateBatch = (faults: Faults, queries: number, seed: number, tally: Tally): void => {
  const time = new VirtualTime()
  const network = new MemoryNetwork(time, { seed, ...faults })
  const open = makeOpener(network)
  const random = seededRandom(seed ^ 0x5eed)
  const machine = new BadMachine(time, faults, seededRandom(seed ^ 0x1a7e))
  const engine = new Engine({ timing: machine })
  const socket = engine.socket()
  const sayings = new Map<number, Set<string>>()
  const changed = new Set<number>()
  const handle = open(
    { family: 4 },
    {
      onFault: (fault) => socket.onFault(fault),
      onDatagram: (lent, address, port) => {
        const bytes = Uint8Array.from(lent)
        if (address === SERVER_HOST && sayings.get(port)?.has(toHex(bytes)) === false) {
          if (faults.withoutChecksum !== true) return
          changed.add(port)
        }
        machine.whenRunning(() => socket.onDatagram(bytes, address, port))
      }
    }
  )
  let toServers = 0
  const counting: DatagramHandle = {
    ...handle,
    send: (bytes, address, port) => {
      toServers++
      handle.send(bytes, address, port)
    }
  }
  socket.attach(counting)
  // The senders of spoofed datagrams. The first sender has the address of the servers, and the second sender has the port of one server.
  const forgers = [
    open({ family: 4, bind: { address: SERVER_HOST, port: 65_000 } }, { onDatagram: () => {}, onFault: () => {} }),
    open({ family: 4, bind: { address: "127.0.0.3", port: FIRST_PORT } }, { onDatagram: () => {}, onFault: () => {} })
  ]
  const responders = new Map(
    MIX.map(({ profile }) => [profile, new Responder(profile, { compress, firstSplitId: seed })])
  )

  const serve = (port: number, profile: Profile): void => {
    const responder = responders.get(profile)!
    const own = new Set<string>()
    sayings.set(port, own)
    const server = open(
      { family: 4, bind: { address: SERVER_HOST, port } },
      {
        onFault: () => {},
        onDatagram: (bytes, address, from) => {
          for (const reply of responder.respond(bytes, address, from, time.now())) {
            own.add(toHex(reply))
            server.send(reply, address, from)
            if (random() < (faults.forgery ?? 0)) {
              for (const forger of forgers) {
                for (const forged of [...FORGED, FORGED_INFO]) forger.send(forged, address, from)
              }
            }
          }
        }
      }
    )
  }

  for (let i = 0; i < queries; i++) {
    const one = MIX[i % MIX.length]!
    const port = FIRST_PORT + i
    serve(port, one.profile)
    const exchange = new QueryExchange(one.query, {
      timeoutMs: Limits.DEFAULT_TIMEOUT_MS,
      retries: Limits.DEFAULT_RETRIES,
      encoding: "auto",
      random
    })
    const onDone = (): void => {
      const { result, rtt } = exchange
      if (result === undefined || Result.isFailure(result)) {
        tally.failed++
        return
      }
      if (rtt!.rttAmbiguous === true) tally.ambiguousRtts++
      else if (!isPossible(rtt!.rttMs, faults)) tally.falseRtts++
      if (one.accepted.has(JSON.stringify(result.success))) tally.right++
      else if (changed.has(port) && !one.compressed) tally.altered++
      else tally.wrong++
    }
    engine.submit(socket, new CallbackRequest(exchange, SERVER_HOST, port, onDone))
    tally.best += countExpectedSends(one, faults.loss ?? 0)
  }
  time.goTo()
  tally.queries += queries
  tally.sent += toServers
}

/**
 * Simulates the given number of queries with the given faults. Adds the results to `tally` (default: a new tally), and returns this tally.
 */
export const simulate = (faults: Faults, queries: number, seed: number, tally = new Tally()): Tally => {
  for (let done = 0; done < queries; done += BATCH)
    simulateBatch(faults, Math.min(BATCH, queries - done), seed + done, tally)
  return tally
}
