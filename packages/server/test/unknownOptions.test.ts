/** Functions that accept options reject unknown options, including unknown options in nested objects. */
import { assert, describe, it } from "@effect/vitest"
import { networkLayer, makeNetwork } from "@sourcewire/core/testing"
import { Streams } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Server from "../src/index.ts"
import { ChallengeIssuer, HandshakeResponder, interceptGoldSource, logDatagram } from "../src/Machines.ts"

const never = () => Effect.never
const transport = Layer.merge(
  networkLayer(Effect.runSync(makeNetwork())),
  Layer.succeed(Streams, { connect: never, listen: never })
)

const over = <A, E, R>(make: Effect.Effect<A, E, R>): Promise<A> =>
  Effect.runPromise(Effect.scoped(make).pipe(Effect.provide(transport)) as Effect.Effect<A, E>)

const wrong = (options: object): never => options as never

const profile = { name: "x", description: "", oversize: { how: "split", maxBytes: 1260 } } as const
const rcon = { password: Redacted.make("x"), handler: () => "" }

const cases: Readonly<Record<string, () => unknown>> = {
  "Responder: limits, limit": async () => new Server.Responder(profile, wrong({ limits: {} })),
  "Responder: profile.plyers, profile.players": async () =>
    new Server.Responder(wrong({ ...profile, plyers: () => {} })),
  "Responder: profile.oversize.maxbytes, profile.oversize.maxBytes": async () =>
    new Server.Responder(wrong({ ...profile, oversize: { ...profile.oversize, maxbytes: 1 } })),
  "Responder: profile.challenge.lifetime, profile.challenge.lifetimeMs": async () =>
    new Server.Responder(wrong({ ...profile, challenge: { lifetime: 1 } })),
  "RateLimiter: perSeconds, perSecond": async () => new Server.RateLimiter(wrong({ perSecond: 1, perSeconds: 1 })),
  "ChallengeIssuer: lifetime, lifetimeMs": async () => new ChallengeIssuer(wrong({ lifetime: 1 })),
  "HandshakeResponder: replyToUnverified, repliesToUnverified": async () =>
    new HandshakeResponder(wrong({ replyToUnverified: true })),
  "makeLogSender: target, targets": () => over(Server.makeLogSender(wrong({ target: [] }))),
  "makeHttpLogSender: retry, retryMs": () =>
    over(Server.makeHttpLogSender(wrong({ url: "http://192.0.2.1/", retry: 1 }))),
  "logDatagram: secrets, secret": async () =>
    logDatagram("x", { year: 1, month: 1, day: 1, hour: 1, minute: 1, second: 1 }, wrong({ secrets: "x" })),
  "makeMaster: limit.perSeconds, limit.perSecond": () =>
    over(Server.makeMaster(wrong({ servers: [], limit: { perSecond: 1, perSeconds: 1 } }))),
  "startMaster: server, servers": () => Server.startMaster(wrong({ transport, servers: [], server: [] })),
  "makeSourceRcon: idleTimeout, idleTimeoutMs": () => over(Server.makeSourceRcon(wrong({ ...rcon, idleTimeout: 1 }))),
  "makeSourceRcon: attempts.ban, attempts.banMs": () =>
    over(Server.makeSourceRcon(wrong({ ...rcon, attempts: { ban: 1 } }))),
  "makeGoldSourceRcon: dialekt, dialect": () => over(Server.makeGoldSourceRcon(wrong({ ...rcon, dialekt: "hltv" }))),
  "interceptGoldSource: encodng, encoding": () => over(interceptGoldSource(wrong({ ...rcon, encodng: "auto" }))),
  "startRconServer: maxConnection, maxConnections": () =>
    Server.startRconServer(wrong({ ...rcon, transport, engine: "source", maxConnection: 1 }))
}

describe("an unknown option", () => {
  it.each(Object.entries(cases))("is rejected, and the error suggests the likely name: %s", async (name, call) => {
    const [option = "", meant] = name.replace(/^.*: /, "").split(", ")
    const error = await Promise.resolve()
      .then(call)
      .then(
        () => assert.fail("was accepted"),
        (error: unknown) => error
      )
    assert.instanceOf(error, Server.InvalidOption)
    assert.include(error, { option, message: `There is no option ${option}. Did you mean ${meant}?` })
  })
})
