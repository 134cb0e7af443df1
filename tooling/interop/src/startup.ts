/** Helpers to start a game server: they find a free port, and wait until the server replies. */
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"

/** Returns a UDP port that no program uses at the time of the call. */
export const freePort = async (): Promise<number> => {
  const socket = createSocket("udp4").bind(0, "127.0.0.1")
  await once(socket, "listening")
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return port
}

/** Resolves when a server of a Quake game replies to `getinfo`, a request without a password. */
export const untilUp = async (port: number): Promise<void> => {
  const socket = createSocket("udp4")
  let answers = 0
  socket.on("message", () => void answers++).on("error", () => {})
  for (let tries = 0; tries < 100; tries++) {
    if (answers > 0) break
    socket.send(Buffer.concat([Buffer.alloc(4, 0xff), Buffer.from("getinfo sourcewire")]), port, "127.0.0.1")
    await sleep(100)
  }
  socket.close()
  if (answers === 0) throw new Error("The server did not start within 10 s")
}
