/**
 * Detects the RCON protocol of a server. TCP and UDP are tried at the same time. Therefore the detection is not delayed if a firewall drops
 * the packets of one transport, but the other transport works.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import type { Address } from "../address/Address.ts"
import { CallbackRequest } from "../engine/CallbackRequest.ts"
import { Datagrams } from "../engine/Datagrams.ts"
import { Engine } from "../engine/Engine.ts"
import { type SendFailed, type Unresolved, PortClosed, Timeout } from "../engine/QueryError.ts"
import type { Streams } from "../engine/Streams.ts"
import { lookUp } from "../engine/lookup.ts"
import { timing } from "../engine/effectTiming.ts"
import { ChallengeProbe, PROBES, type Probed, probingMs } from "./ChallengeProbe.ts"
import { connectGoldSource, connectSource } from "./connect.ts"
import { reasonOnLoopback } from "./errors.ts"
import type { ResolvedOptions } from "./options.ts"
import { type RconError, Session } from "./session.ts"
import { DatagramTrace } from "./trace.ts"

/** Connects and logs in with the first protocol that works. The comment of `connect` in `observed.ts` describes the steps. */
export const connectAuto = /* @__PURE__ */ Effect.fnUntraced(function* (
  address: Address,
  options: ResolvedOptions
): Effect.fn.Return<Session, RconError, Datagrams | Scope.Scope | Streams> {
  // The TCP attempt has its own scope, which closes before a UDP session starts.
  const tcpScope = yield* Effect.acquireRelease(Scope.make(), (scope, exit) => Scope.close(scope, exit))
  const tcp = yield* Effect.forkChild(Scope.provide(connectSource(address, options), tcpScope))
  const udp = yield* Effect.forkChild(probe(address, options))

  const tcpDecides = Fiber.join(tcp).pipe(
    Effect.catch((error) =>
      error._tag === "AuthenticationFailed" || error._tag === "Unresolved"
        ? Effect.fail(error)
        : Effect.map(Fiber.join(udp), (probed) => ({ error, probed }))
    )
  )
  const udpDecides = Effect.flatMap(Fiber.join(udp), (probed) =>
    probed === "answer" ? Effect.succeed({ error: undefined, probed }) : Effect.never
  )
  const decided = yield* Effect.ensuring(Effect.raceFirst(tcpDecides, udpDecides), Fiber.interrupt(udp))
  if (decided instanceof Session) return decided
  yield* Fiber.interrupt(tcp)
  yield* Scope.close(tcpScope, Exit.void)
  const { error, probed } = decided
  if (error === undefined || probed === "answer") return yield* connectGoldSource(address, "goldsource", options)

  const failed = explain(error, probed, address)
  if (probed === "closed" || error._tag === "Refused") return yield* Effect.fail(failed)
  // The UDP port is not closed, but sent no challenge, so the server may be Xash3D. The check above excludes servers that closed the TCP
  // connection (`Refused`), because they are Source servers.
  return yield* Effect.mapError(connectGoldSource(address, "quake", options), (error) =>
    error._tag === "AuthenticationFailed" ? error : failed
  )
})

/** Requests a challenge from the UDP port. If the host has no address, or no socket can be opened, the result is `closed`. */
const probe = /* @__PURE__ */ Effect.fnUntraced(
  function* (
    address: Address,
    { password, timeoutMs, trace: onTrace }: ResolvedOptions
  ): Effect.fn.Return<Probed, SendFailed | Unresolved, Datagrams | Scope.Scope> {
    const datagrams = yield* Datagrams
    const clock = yield* timing
    const resolved = yield* lookUp(datagrams.resolve, address, timeoutMs, clock)
    const remote = { address: resolved.address, port: address.port }
    const trace = onTrace === undefined ? undefined : new DatagramTrace({ trace: onTrace, password, now: clock.now })
    const engine = new Engine({
      timing: clock,
      onDatagram:
        trace &&
        ((direction, bytes, { address, port }) => {
          if (port === remote.port && address === remote.address) trace[direction](bytes)
        })
    })
    const socket = engine.socket()
    socket.attach(yield* datagrams.open({ family: resolved.family, connect: remote }, socket))
    return yield* Effect.callback<Probed>((resume) => {
      const exchange = new ChallengeProbe(timeoutMs)
      const onDone = () => resume(Effect.fromResult(exchange.result!))
      const request = new CallbackRequest(exchange, remote.address, remote.port, onDone, probingMs(timeoutMs))
      engine.submit(socket, request)
      return Effect.sync(() => engine.cancel(request))
    })
  },
  Effect.scoped,
  /* @__PURE__ */ Effect.orElseSucceed((): Probed => "closed")
)

/** Combines the failures of both transports into one error. */
const explain = (tcp: RconError, probed: Probed, { host, port }: Address): RconError => {
  const isClosed = tcp._tag === "PortClosed"
  if (!isClosed && !(tcp._tag === "Timeout" && tcp.phase === "connect")) return tcp
  const reason = isClosed ? reasonOnLoopback(host) : ""
  if (isClosed && probed === "closed") {
    return new PortClosed({
      message: `Port ${port} is closed, on TCP and on UDP. Check that the server is running, and that this is its port.${reason}`
    })
  }
  const silence = isClosed
    ? `TCP port ${port} is closed, and RCON over UDP gets no reply. Check that the server has an rcon_password.`
    : "No reply over TCP or UDP. The server may be down, at another address, or without RCON."
  return new Timeout({
    message: `${silence} Xash3D does not reply to a wrong password.${reason}`,
    phase: "connect",
    sent: PROBES,
    received: 0
  })
}
