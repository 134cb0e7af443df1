// The least that a scan can do over `Deno.listenDatagram`: see raw/loop.mjs.
import { runRaw } from "./raw/loop.mjs"

await runRaw("raw Deno.listenDatagram", Deno.version.deno, async (onMessage) => {
  const socket = Deno.listenDatagram({ transport: "udp", hostname: "127.0.0.1", port: 0 })
  const buffer = new Uint8Array(65_536)
  const receive = async () => {
    for (;;) {
      const [bytes, { hostname, port }] = await socket.receive(buffer)
      onMessage(bytes, hostname, port)
    }
  }
  receive().catch(() => undefined)
  return {
    send: (bytes, port, hostname) => void socket.send(bytes, { transport: "udp", hostname, port }),
    close: () => socket.close()
  }
})
