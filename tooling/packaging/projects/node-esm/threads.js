import { startServer } from "@sourcewire/server"
import { NodeDatagrams, scan } from "@sourcewire/transport-node"

const server = await startServer({ transport: NodeDatagrams.layer })
for await (const result of scan([`127.0.0.1:${server.port}`], "info", { threads: 2 })) {
  if (result._tag === "Answered") console.log(result.info.name)
}
await server.close()
