// The least that a scan can do over `Bun.udpSocket`, sends of a turn in one call: see raw/loop.mjs.
import { runRaw } from "./raw/loop.mjs"

const MAX_PER_CALL = 256

await runRaw("raw Bun.udpSocket", Bun.version, async (onMessage) => {
  let waiting = []
  const socket = await Bun.udpSocket({
    hostname: "127.0.0.1",
    socket: { data: (_, bytes, port, address) => onMessage(bytes, address, port) }
  })
  const flush = () => {
    if (waiting.length === 0) return
    const list = waiting
    waiting = []
    const sent = socket.sendMany(list)
    if (3 * sent === list.length) return
    waiting = list.slice(3 * sent)
    setTimeout(flush, 0)
  }
  return {
    send: (bytes, port, address) => {
      if (waiting.length === 0) queueMicrotask(flush)
      waiting.push(bytes, port, address)
      if (waiting.length >= 3 * MAX_PER_CALL) flush()
    },
    close: () => socket.close()
  }
})
