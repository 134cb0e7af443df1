import { startServer } from "@sourcewire/emulator"
import { connect } from "@sourcewire/transport-bun"
import { layer } from "@sourcewire/transport-bun/effect"

await using server = await startServer({ transport: layer })
await using client = await connect()
const { name } = await client.info(`127.0.0.1:${server.port}`)
console.log(name)
