/** Loads a server: closed-loop clients, spoofed sources, and honest clients. */
import { createSocket, type Socket } from "node:dgram"
import { setTimeout as sleep } from "node:timers/promises"

/** A2S_INFO without a challenge. */
export const INFO = Buffer.from("\xff\xff\xff\xffTSource Engine Query\0", "latin1")

/** Number of sockets that send queries at the same time. */
const ASKERS = 8

/** Requests in flight per socket. */
const WINDOW = 16

/** A socket of an address. Its errors are ignored. */
export const open = (address: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = createSocket({ type: "udp4", lookup: (host, _, found) => found(null, host, 4) })
    socket.on("error", () => {})
    socket.bind(0, address, () => resolve(socket))
  })

/** Requests the challenge for further requests. */
const challengeFor = async (port: number): Promise<Buffer> => {
  const socket = await open("127.0.0.1")
  const reply = await new Promise<Buffer>((resolve) => {
    socket.once("message", resolve)
    socket.send(INFO, port, "127.0.0.1")
  })
  socket.close()
  return reply.subarray(5)
}

/** The query that is repeated. `unchallenged` sends no challenge. */
export type Question = "unchallenged" | "info" | "players" | "rules"

const HEADS: Readonly<Record<Question, Buffer>> = {
  unchallenged: INFO,
  info: INFO,
  players: Buffer.from("\xff\xff\xff\xffU", "latin1"),
  rules: Buffer.from("\xff\xff\xff\xffV", "latin1")
}

/**
 * Sends queries until `replies` datagrams have arrived. Each reply triggers the next request, so that no datagram is lost and the server
 * is never idle.
 */
export const saturate = async (port: number, question: Question, replies: number): Promise<void> => {
  const request = question === "unchallenged" ? INFO : Buffer.concat([HEADS[question], await challengeFor(port)])
  const sockets = await Promise.all(Array.from({ length: ASKERS }, () => open("127.0.0.1")))
  let left = replies
  await new Promise<void>((resolve) => {
    for (const socket of sockets) {
      socket.on("message", (reply) => {
        if (--left === 0) resolve()
        // Only the first fragment of a split reply triggers the next query. On loopback, fragments arrive in order.
        if (left > 0 && (reply[0] !== 0xfe || reply[9] === 0)) socket.send(request, port, "127.0.0.1")
      })
      for (let i = 0; i < WINDOW; i++) socket.send(request, port, "127.0.0.1")
    }
  })
  for (const socket of sockets) socket.close()
}

/** An address of 127.0.0.0/8 by number, except 127.0.0.1. It represents a spoofed source on loopback. */
const forged = (i: number): string => `127.${1 + ((i >> 16) & 127)}.${(i >> 8) & 255}.${i & 255}`

/**
 * Sends INFO from new addresses until `isOver`, `burst` datagrams from each. As with spoofed sources, challenges are not returned and
 * replies are not read.
 */
export const flood = async (port: number, burst: number, isOver: () => boolean) => {
  const done = { sent: 0, addresses: 0 }
  while (!isOver()) {
    const sockets = await Promise.all(Array.from({ length: 64 }, () => open(forged(done.addresses++))))
    for (let i = 0; i < burst; i++) {
      for (const socket of sockets) socket.send(INFO, port, "127.0.0.1")
      // Lets other work of this process run.
      await sleep(0)
    }
    done.sent += burst * sockets.length
    for (const socket of sockets) socket.close()
  }
  return done
}
