import { startServer } from "@sourcewire/emulator"
import { connect } from "@sourcewire/transport-deno"
import { layer } from "@sourcewire/transport-deno/effect"

await using server = await startServer({ transport: layer })
await using client = await connect()
const { name } = await client.info(`127.0.0.1:${server.port}`)
console.log(name)
