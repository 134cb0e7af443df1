/** Tests the types of the public API. The compiler checks the types, so most of these tests do nothing when they run. */
import type { ChallengeReply, GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { expectTypeOf, it } from "vitest"
import { Client } from "../src/index.ts"
import type { Answer, ClientError, InvalidOption, PromiseClient, QueryError } from "../src/index.ts"
import type { ClientShape } from "../src/query.ts"
import type { Datagrams } from "../src/transport.ts"

type Info = InfoReply | GoldSourceInfoReply
type Awaitable<K extends keyof PromiseClient> = PromiseClient[K] extends (...args: never) => infer R
  ? Awaited<R>
  : never
type Result<K extends keyof ClientShape> = ClientShape[K] extends (...args: never) => infer R ? R : never

it("the Effect API and the promise API return the same messages", () => {
  expectTypeOf<Result<"info">>().toEqualTypeOf<Effect.Effect<Info, ClientError>>()
  expectTypeOf<Result<"players">>().toEqualTypeOf<Effect.Effect<PlayersReply, ClientError>>()
  expectTypeOf<Result<"rules">>().toEqualTypeOf<Effect.Effect<RulesReply, ClientError>>()
  expectTypeOf<Result<"challenge">>().toEqualTypeOf<Effect.Effect<ChallengeReply, ClientError>>()
  expectTypeOf<Awaitable<"info">>().toEqualTypeOf<Info>()
  expectTypeOf<Awaitable<"players">>().toEqualTypeOf<PlayersReply>()
  expectTypeOf<Awaitable<"rules">>().toEqualTypeOf<RulesReply>()
  expectTypeOf<Awaitable<"challenge">>().toEqualTypeOf<ChallengeReply>()
})

it("`queryKind` returns the type of reply that belongs to the given kind of query", () => {
  expectTypeOf<(client: ClientShape) => Effect.Effect<Answer<PlayersReply>, ClientError>>().toEqualTypeOf(
    (client: ClientShape) => client.queryKind("players", "host")
  )
  expectTypeOf<(client: PromiseClient) => Promise<Answer<Info>>>().toEqualTypeOf((client: PromiseClient) =>
    client.queryKind("info", "host")
  )
})

it("the property `_tag` distinguishes the types of INFO replies and of errors", () => {
  expectTypeOf<Extract<Info, { readonly _tag: "GoldSourceInfoReply" }>>().toEqualTypeOf<GoldSourceInfoReply>()
  expectTypeOf<Extract<QueryError, { readonly _tag: "Timeout" }>["phase"]>().toExtend<string>()
  expectTypeOf<Extract<QueryError, { readonly _tag: "Refused" }>["text"]>().toEqualTypeOf<string>()
  expectTypeOf<ClientError["_tag"]>().toEqualTypeOf<
    | "Timeout"
    | "PortClosed"
    | "Unresolved"
    | "Refused"
    | "Malformed"
    | "ChecksumMismatch"
    | "TooManyChallenges"
    | "UnexpectedReply"
    | "LimitExceeded"
    | "AuthenticationFailed"
    | "ConnectionClosed"
    | "SendFailed"
    | "InvalidAddress"
    | "InvalidOption"
  >()
})

it("the layer of the client requires a transport and no other service", () => {
  expectTypeOf(Client.layer()).toEqualTypeOf<Layer.Layer<Client, InvalidOption, Datagrams>>()
  expectTypeOf<PromiseClient>().toExtend<AsyncDisposable>()
})

it("options have the documented types", () => {
  const take = (_options: Parameters<PromiseClient["info"]>[1]): void => undefined
  take({ timeoutMs: 100, retries: 1, encoding: "windows-1251", family: 6, signal: new AbortController().signal })
  take({ signal: undefined })
  // @ts-expect-error A timeout must be a number.
  take({ timeoutMs: "100" })
  // @ts-expect-error The encoding `utf-7` is not supported.
  take({ encoding: "utf-7" })
})
