/**
 * A network in memory with emulated servers. It supports the requests of the bridge's API, so the panes can use this network instead of the
 * bridge. The module uses neither the DOM nor Node.
 */
import { type Address, formatAddress, parseAddress } from "@sourcewire/core"
import { networkLayer, makeNetwork, seededRandom } from "@sourcewire/core/testing"
import { type Datagrams, Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { AskEvent, Failure, Kind, ListResult, RconEvent, Sample, StartRequest, Status } from "../../bridge/Api.ts"
import { type Command, exec } from "../../engine/consoles.ts"
import { EMULATED_PASSWORD, emulatedServers } from "../../engine/emulated.ts"
import { type AskOptions, OFFERED, ask, list, watch } from "../../engine/querying.ts"
import { makeMemoryStreams } from "./memoryStreams.ts"
import type { Order } from "./messages.ts"

/** Port of the first emulated server. The address field of the page initially contains this port. */
const FIRST_PORT = 27015

const STATUS: Status = { rcon: true, emulatedPassword: EMULATED_PASSWORD, emulate: true, allow: [], ...OFFERED }

/**
 * Seed of the random numbers for the client's retransmissions. This seed and the seeds of the servers are fixed, so that a link with
 * emulated servers shows the same exchange each time it is opened.
 */
const CLIENT_SEED = 1

type Event = AskEvent | Sample | ReadonlyArray<ListResult> | RconEvent

/** The outcome of a request: a stream of events, or a single result. */
type Outcome = { readonly events: Stream.Stream<Event> } | { readonly result: Effect.Effect<unknown, Error> }

export const makeMemoryHosts = Effect.gen(function* () {
  const network = networkLayer(yield* makeNetwork())
  const both: Layer.Layer<Datagrams | Streams> = Layer.merge(network, Layer.succeed(Streams, makeMemoryStreams()))
  const servers = emulatedServers({ firstPort: FIRST_PORT, withConsole: true })

  const resolveTarget = (input: string): Effect.Effect<Address, Failure> =>
    Effect.suspend(() => {
      const parsed = parseAddress(input)
      if (Result.isFailure(parsed)) return Effect.fail<Failure>(parsed.failure)
      const { host, port } = parsed.success
      const target: Address = host === "localhost" ? { host: "127.0.0.1", port, family: 4 } : parsed.success
      if (servers.shown().some(({ address }) => address === formatAddress(target))) return Effect.succeed(target)
      return Effect.fail<Failure>({
        _tag: "NotInPage",
        message: `${formatAddress(target)} is not an emulated server of this page. To query real servers, start the bridge.`
      })
    })

  const onTarget = <A, R>(
    input: string,
    failed: (error: Failure) => A,
    then: (target: Address) => Stream.Stream<A, never, R>
  ): Stream.Stream<A, never, R> =>
    Stream.unwrap(
      Effect.match(resolveTarget(input), { onFailure: (error) => Stream.make(failed(error)), onSuccess: then })
    )

  const settings = () => ({ random: seededRandom(CLIENT_SEED) })
  const failed = (error: Failure) => ({ _tag: "Failed", error }) as const

  const streams: Readonly<Record<string, (body: never) => Stream.Stream<Event>>> = {
    "/ask": ({ address, kind, ...options }: AskOptions & { readonly address: string; readonly kind: Kind }) =>
      onTarget<AskEvent, never>(address, failed, (target) => ask(target, kind, options, network, settings())),
    "/watch": ({ address, intervalMs }: { readonly address: string; readonly intervalMs: number }) =>
      onTarget<Sample, never>(
        address,
        (error) => ({ timeMs: 0, error }),
        (target) => watch(target, intervalMs, network, settings())
      ),
    "/list": ({ addresses }: { readonly addresses: ReadonlyArray<string> }) =>
      Stream.provide(list(addresses, resolveTarget), network),
    "/rcon": ({
      address,
      password,
      ...command
    }: Omit<Command, "password"> & Readonly<Record<"address" | "password", string>>) =>
      onTarget<RconEvent, never>(address, failed, (target) =>
        Stream.provide(exec(target, { ...command, password: Redacted.make(password) }), both)
      )
  }

  /** Handles a request of the page in the same way as the bridge. */
  return ({ body, method, path }: Order): Outcome => {
    const [, name, id] = path.split("/")
    if (name === "status") return { result: Effect.succeed(STATUS) }
    if (name !== "servers") return { events: streams[path]!(body as never) }
    if (method === "POST") return { result: Effect.provide(servers.start(body as StartRequest), both) }
    if (method === "GET") return { result: Effect.sync(servers.shown) }
    return { result: Effect.map(id === undefined ? servers.stopAll : servers.stop(id), servers.shown) }
  }
})
