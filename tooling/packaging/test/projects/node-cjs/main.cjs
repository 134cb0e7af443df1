const { startServer } = require("@sourcewire/emulator")
const { connect } = require("@sourcewire/transport-node")
const { layer } = require("@sourcewire/transport-node/effect")

const main = async () => {
  const server = await startServer({ transport: layer })
  const client = await connect()
  const info = await client.info(`127.0.0.1:${server.port}`)
  console.log(info.name)
  await client.close()
  await server.close()
}
main()
