import { startServer } from "@sourcewire/emulator"
import { connect, DenoDatagrams } from "@sourcewire/transport-deno"

await using server = await startServer({ transport: DenoDatagrams.layer })
await using client = await connect()
const { name } = await client.info(`127.0.0.1:${server.port}`)
console.log(name)
