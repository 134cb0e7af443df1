/** Load on a server: closed-loop askers, forged senders, honest clients. */
import { createSocket, type Socket } from "node:dgram"
import { setTimeout as sleep } from "node:timers/promises"

/** A2S_INFO without a challenge. */
export const INFO = Buffer.from("\xff\xff\xff\xffTSource Engine Query\0", "latin1")

/** Sockets that ask at once. */
const ASKERS = 8

/** Requests under way per socket. */
const WINDOW = 16

/** A socket of an address. Its errors are ignored. */
export const open = (address: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = createSocket({ type: "udp4", lookup: (host, _, found) => found(null, host, 4) })
    socket.on("error", () => {})
    socket.bind(0, address, () => resolve(socket))
  })

/** Asks for the challenge that comes with each further request. */
const challengeFor = async (port: number): Promise<Buffer> => {
  const socket = await open("127.0.0.1")
  const reply = await new Promise<Buffer>((resolve) => {
    socket.once("message", resolve)
    socket.send(INFO, port, "127.0.0.1")
  })
  socket.close()
  return reply.subarray(5)
}

/** What is asked again and again. */
export type Question = "stranger" | "info" | "players" | "rules"

const HEADS: Readonly<Record<Question, Buffer>> = {
  stranger: INFO,
  info: INFO,
  players: Buffer.from("\xff\xff\xff\xffU", "latin1"),
  rules: Buffer.from("\xff\xff\xff\xffV", "latin1")
}

/**
 * Asks until `replies` datagrams have come back: every reply brings the next request, so that nothing gets lost and the server is
 * never idle.
 */
export const saturate = async (port: number, question: Question, replies: number): Promise<void> => {
  const request = question === "stranger" ? INFO : Buffer.concat([HEADS[question], await challengeFor(port)])
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

/** An address of 127.0.0.0/8 by number, never 127.0.0.1: what a forged sender looks like on loopback. */
const forged = (i: number): string => `127.${1 + ((i >> 16) & 127)}.${(i >> 8) & 255}.${i & 255}`

/**
 * Sends INFO from ever new addresses until `isOver`, `burst` datagrams from each and never a challenge back, as forged senders do.
 * Replies are left unread.
 */
export const flood = async (port: number, burst: number, isOver: () => boolean) => {
  const done = { sent: 0, addresses: 0 }
  while (!isOver()) {
    const sockets = await Promise.all(Array.from({ length: 64 }, () => open(forged(done.addresses++))))
    for (let i = 0; i < burst; i++) {
      for (const socket of sockets) socket.send(INFO, port, "127.0.0.1")
      // Gives way to what else this process does.
      await sleep(0)
    }
    done.sent += burst * sockets.length
    for (const socket of sockets) socket.close()
  }
  return done
}
