// The least that a scan can do over `node:dgram`: see raw/loop.mjs.
import { createSocket } from "node:dgram"
import process from "node:process"
import { runRaw } from "./raw/loop.mjs"

await runRaw(
  "raw node:dgram",
  process.version,
  (onMessage) =>
    new Promise((resolve, reject) => {
      const socket = createSocket({
        type: "udp4",
        recvBufferSize: 4 << 20,
        lookup: (host, _, found) => found(null, host, 4)
      })
      socket.once("error", reject)
      socket.on("message", (bytes, sender) => onMessage(bytes, sender.address, sender.port))
      socket.bind(0, "127.0.0.1", () =>
        resolve({ send: (bytes, port, address) => socket.send(bytes, port, address), close: () => socket.close() })
      )
    })
)
