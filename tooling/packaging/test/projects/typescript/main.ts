import { Client, PortClosed } from "@sourcewire/core"
import type { ClientError, PromiseClient } from "@sourcewire/core"
import { makeNetwork } from "@sourcewire/core/testing"
import { decode, InfoReply } from "@sourcewire/protocol"
import { toSchema } from "@sourcewire/protocol/schemas"
import { startServer } from "@sourcewire/emulator"
import { scenarios } from "@sourcewire/emulator/scenarios"
import { startProxy } from "@sourcewire/proxy"
import { Responder } from "@sourcewire/server"
import { connect } from "@sourcewire/transport-node"
import { layer } from "@sourcewire/transport-node/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"

const explain = (error: ClientError): string => {
  switch (error._tag) {
    case "Timeout":
      return `${error.phase}: ${error.sent} sent`
    case "InvalidOption":
      return error.option
    default:
      return error.message
  }
}

const client: PromiseClient = await connect({ timeoutMs: 1000 })
const info = await client.info("127.0.0.1:27015", { signal: AbortSignal.timeout(1000) })
export const summary: string = info._tag === "InfoReply" ? `${info.name} ${info.appId}` : info.address

export const names: Effect.Effect<string, ClientError | { readonly _tag: "InvalidOption" }> = Client.use((client) =>
  client.info("127.0.0.1")
).pipe(
  Effect.map((info) => info.name),
  Effect.provide(Layer.provide(Client.layer(), layer))
)

// @ts-expect-error a port is a number
await startServer({ transport: layer, port: "27015" })
// @ts-expect-error there is no such query
await client.inform("127.0.0.1")

const message = decode(new Uint8Array(4))
export const tag = Result.isSuccess(message) ? message.success._tag : message.failure.message
export const others = [explain, PortClosed, InfoReply, makeNetwork, toSchema, scenarios, startProxy, Responder]
