import { startServer } from "@sourcewire/emulator"
import { connect } from "@sourcewire/transport-node"
import { layer } from "@sourcewire/transport-node/effect"

const server = await startServer({ transport: layer })
const client = await connect()
const info = await client.info(`127.0.0.1:${server.port}`)
console.log(info.name)
await client.close()
await server.close()
