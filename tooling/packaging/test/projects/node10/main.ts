import { type Summary, summary } from "@sourcewire/games"
import { connect, type PromiseClient, Timeout } from "@sourcewire/transport-node"

const client: PromiseClient = await connect({ timeoutMs: 1000 })
const address = "127.0.0.1:27015"
export const glance: Summary = summary(address, await client.query(address))
export const isSilent = (error: unknown): boolean => error instanceof Timeout && error.received === 0
export const name: string = (await client.info(address)).name

// @ts-expect-error there is no such query
await client.inform(address)
