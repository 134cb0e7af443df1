/**
 * Many queries, each to a server of its own, over one network with faults, in virtual time: our client's engine and machines against
 * our responder, with default settings. Same seed, same outcome.
 */
import { CallbackRequest, Engine, Limits } from "@sourcewire/core/engine"
import { type Query, Query as Queries, QueryExchange } from "@sourcewire/core/query"
import { MemoryNetwork, seededRandom } from "@sourcewire/core/testing"
import type { DatagramHandle, DatagramHandler, OpenOptions } from "@sourcewire/core/transport"
import { profiles } from "@sourcewire/emulator"
import { type Profile, Responder } from "@sourcewire/server"
import { challengeReply, compress } from "@sourcewire/server/machines"
import { decode, encode, type Message, toHex } from "@sourcewire/protocol"
import { connectionless } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { BadMachine, type MachineFaults } from "./BadMachine.ts"
import { VirtualTime } from "../../testing/VirtualTime.ts"

type NetworkFaults = MemoryNetwork["faults"]

/** What network and machine do. */
export interface Faults extends NetworkFaults, MachineFaults {
  /** Share of the server's datagrams that come with well-formed forgeries, from its address and from its port, but not from both. */
  readonly forgery?: number
  /** Whether a changed datagram is delivered. UDP's checksum finds every change of one byte, so by default it is not. */
  readonly withoutChecksum?: boolean
}

/** What became of the queries; of none yet. */
export class Tally {
  queries = 0
  /** Answered with what the server says. */
  right = 0
  /** Ended with an error. */
  failed = 0
  /** Answered with something else, without any excuse. Must stay 0. */
  wrong = 0
  /** Answered with something else after a datagram of an uncompressed reply was delivered changed: nothing in it could tell. */
  altered = 0
  /** Answers with a round trip that is marked as a guess. */
  guessed = 0
  /** Answers with a round trip that is given for a fact, and that the network cannot have made. Must stay 0. */
  untrue = 0
  /** Datagrams that the client sent. */
  sent = 0
  /** What a client would have to send on average that notices every loss at once. */
  best = 0
}

/** A query as the matrix asks it. */
interface Asked {
  readonly profile: Profile
  readonly query: Query.Query<unknown>
  readonly accepted: ReadonlySet<string>
  readonly compressed: boolean
  /** Datagrams of the answer; the challenge before it is one. */
  readonly fragments: number
  readonly rounds: number
}

/** What a server says, as its bytes decode: in the order of the wire. */
const said = (message: unknown): string =>
  JSON.stringify(Result.getOrThrow(Result.flatMap(encode(message as Message), (bytes) => decode(bytes))))

const asked = (
  profile: Profile,
  query: Query.Query<never> | Query.Query<unknown>,
  live: ReadonlyArray<unknown>,
  fragments: number,
  rounds = 2
): Asked => ({
  profile,
  query: query as Query.Query<unknown>,
  accepted: new Set(live.map(said)),
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

/** The mix: whole and split answers in all three layouts, compressed ones, both dialects, with and without a challenge. */
const MIX: ReadonlyArray<Asked> = [
  asked(css, Queries.info, [css.info], 1),
  asked(css, Queries.players, [css.players], 1),
  asked(css, Queries.rules, [css.rules], countFragments(css, "V")),
  asked(tf2, Queries.rules, [tf2.rules], countFragments(tf2, "V")),
  asked(cs16, Queries.info, [cs16.info, cs16.legacyInfo], 1),
  asked(cs16, Queries.rules, [cs16.rules], countFragments(cs16, "V")),
  asked(ship, Queries.info, [ship.info], 1, 1),
  asked(ship, Queries.players, [ship.players], 1)
]

/** Sends of a client that knows at once what is lost: each round is tried until request and all of its answer get through. */
const fewestSends = ({ fragments, rounds }: Asked, loss: number): number => {
  const challenge = (1 - loss) ** -2
  return (rounds - 1) * challenge + (1 - loss) ** -(1 + fragments)
}

const FORGED = ["A\0\0\0\x42", "D\x01\0forged\0\0\0\0\0\0\0\0\0", "E\x01\0forged\x001\0", "lforged\n\0"].map(
  connectionless
)
const FORGED_INFO = Result.getOrThrow(encode({ ...(css.info as Message), name: "forged" } as Message))

/** A socket on the network, and none of Effect's scopes to close: the network is thrown away as a whole. */
const opener =
  (network: MemoryNetwork) =>
  (options: OpenOptions, handler: DatagramHandler): DatagramHandle =>
    Effect.runSync(Scope.provide(network.datagrams.open(options, handler), Scope.makeUnsafe()))

const SERVER_HOST = "127.0.0.2"
const FIRST_PORT = 1024

/** Queries that share a network; each has a server's port of its own. */
const BATCH = 2000

/** Whether a datagram and the reply to it can have taken so long together. */
const isPossible = (rttMs: number, faults: Faults): boolean => {
  const { delayMs = 1, jitterMs = 0, reorderMs = 50, reorder = 0, stoppedMs = 0 } = faults
  const longest = delayMs + jitterMs + (reorder > 0 ? reorderMs : 0)
  // Times are added up in another order there. A process that is stopped takes an answer later than it came.
  return rttMs > 2 * delayMs - 0.001 && rttMs < 2 * longest + stoppedMs + 0.001
}

const simulateBatch = (faults: Faults, queries: number, seed: number, tally: Tally): void => {
  const time = new VirtualTime()
  const network = new MemoryNetwork(time, { seed, ...faults })
  const open = opener(network)
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
  // Forgers: one with the server's address, one with a server's port.
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
      if (rtt!.rttAmbiguous === true) tally.guessed++
      else if (!isPossible(rtt!.rttMs, faults)) tally.untrue++
      if (one.accepted.has(JSON.stringify(result.success))) tally.right++
      else if (changed.has(port) && !one.compressed) tally.altered++
      else tally.wrong++
    }
    engine.submit(socket, new CallbackRequest(exchange, SERVER_HOST, port, onDone))
    tally.best += fewestSends(one, faults.loss ?? 0)
  }
  time.goTo()
  tally.queries += queries
  tally.sent += toServers
}

/** Asks `queries` servers over a network with these faults; adds to a tally, its own unless another is given. */
export const simulate = (faults: Faults, queries: number, seed: number, tally = new Tally()): Tally => {
  for (let done = 0; done < queries; done += BATCH)
    simulateBatch(faults, Math.min(BATCH, queries - done), seed + done, tally)
  return tally
}
