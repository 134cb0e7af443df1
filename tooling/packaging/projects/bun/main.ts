import { startServer } from "@sourcewire/emulator"
import { connect, BunDatagrams } from "@sourcewire/transport-bun"

await using server = await startServer({ transport: BunDatagrams.layer })
await using client = await connect()
const { name } = await client.info(`127.0.0.1:${server.port}`)
console.log(name)
