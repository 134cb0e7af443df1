// This program imports only `@sourcewire/transport-node`, and does not use Effect.
import {
  type ClientError,
  connect,
  type InfoReply,
  logs,
  master,
  PortClosed,
  type PromiseClient,
  rcon,
  scan,
  ScanProgress,
  type ScanResult,
  Timeout
} from "@sourcewire/transport-node"

const explain = (error: ClientError): string => {
  switch (error._tag) {
    case "Timeout":
      return `${error.phase}: ${error.sent} sent`
    case "Malformed":
      return `${error.field}: ${error.hex}`
    default:
      return error.message
  }
}

const client: PromiseClient = await connect({ timeoutMs: 1000 })
const info = await client.info("127.0.0.1:27015", { signal: AbortSignal.timeout(1000) })
export const name: string = info.name
export const appId = (reply: InfoReply): number => reply.appId
const results: Array<ScanResult<"all">> = []
for await (const result of scan(["127.0.0.1:27015"], "all", { progress: new ScanProgress() })) results.push(result)
for await (const { text } of await logs({ port: 0, secret: "1" })) console.log(text)
for await (const address of master("127.0.0.1:27011")) console.log(address)
await (await rcon("127.0.0.1", { password: "secret" })).exec("status")
export const isSilent = (error: unknown): boolean => error instanceof Timeout && error.received === 0
export const others = [explain, PortClosed]

// @ts-expect-error a port is a number
await logs({ port: "27015" })
// @ts-expect-error there is no such query
await client.inform("127.0.0.1")
