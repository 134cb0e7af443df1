import { startServer } from "@sourcewire/server"
import { BunDatagrams, scan } from "@sourcewire/transport-bun"

const server = await startServer({ transport: BunDatagrams.layer })
for await (const result of scan([`127.0.0.1:${server.port}`], "info", { threads: 2 })) {
  if (result._tag === "Answered") console.log(result.info.name)
}
await server.close()
