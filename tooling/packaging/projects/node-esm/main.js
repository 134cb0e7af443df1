import { startServer } from "@sourcewire/emulator"
import { connect, layer } from "@sourcewire/transport-node"

const server = await startServer({ transport: layer })
const client = await connect()
const info = await client.info(`127.0.0.1:${server.port}`)
console.log(info.name)
await client.close()
await server.close()
