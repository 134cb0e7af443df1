/**
 * Runs exchanges over sockets. Exports the engine, the interface of exchanges, and the modules for retransmission, round-trip times, timers
 * and limits.
 *
 * @example
 * import { CallbackRequest, currentTiming, Engine } from "@sourcewire/core/engine"
 * import { Query, QueryExchange } from "@sourcewire/core/query"
 * import { Datagrams } from "@sourcewire/core/transport"
 * import { layer } from "@sourcewire/transport-node/effect"
 * import * as Effect from "effect/Effect"
 * const settings = { timeoutMs: 1000, retries: 3, encoding: "auto", random: Math.random } as const
 * const query = Effect.gen(function* () {
 *   const { open } = yield* Datagrams
 *   const engine = new Engine({ timing: yield* currentTiming })
 *   const socket = engine.socket()
 *   socket.attach(yield* open({ family: 4 }, socket))
 *   const exchange = new QueryExchange(Query.info, settings)
 *   yield* Effect.callback<void>((resume) => {
 *     engine.submit(socket, new CallbackRequest(exchange, "127.0.0.1", 27015, () => resume(Effect.void)))
 *   })
 *   return exchange.result
 * })
 * console.log(await Effect.runPromise(Effect.scoped(query).pipe(Effect.provide(layer))))
 *
 * @module
 */
export { CallbackRequest } from "./engine/CallbackRequest.ts"
export type { Dispatched, Dispatching, Groups, Line, QueueEntry } from "./engine/Dispatcher.ts"
export { timing as currentTiming } from "./engine/effectTiming.ts"
export { Engine, type EngineOptions, type EngineOwner, EngineSocket, InFlight } from "./engine/Engine.ts"
export * from "./engine/Exchange.ts"
export type { LosingRequest, LostTime } from "./engine/lostTime.ts"
export { RequestKind, Retry, RoundTrip, type RoundTripOptions } from "./engine/Retry.ts"
export type { RouteTable } from "./engine/RouteTable.ts"
export { live as liveTiming, type Timing } from "./engine/Timing.ts"
export type { EngineCounters, OnDatagram } from "./engine/traffic.ts"
export * as Limits from "./Limits.ts"
export { TokenBucket } from "./scan/TokenBucket.ts"
