/** Shared parts of the RCON tests: transport, password, texts, and a scripted server. */
import { AUTH, AUTH_RESPONSE, encodePacket, RESPONSE_VALUE, SourceRconFramer } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as net from "node:net"
import { layer } from "../src/effect.ts"

export const transport = layer

/** A time limit, in ms, that is longer than any step of these tests takes on a busy host. */
export const PATIENCE_MS = 120_000

export const PASSWORD_TEXT = "probe pw"
export const password = Redacted.make(PASSWORD_TEXT)

/**
 * Returns a text with the given number of bytes, including characters of two and three bytes. The text contains numbers, so that tests
 * detect lost parts.
 */
export const makeText = (bytes: number): string => {
  let text = ""
  for (let i = 0, left = bytes; left > 0; i++) {
    const piece = `${i}:Zoë★\n`
    const size = new TextEncoder().encode(piece).length
    text += size <= left ? piece : "x".repeat(left)
    left -= Math.min(size, left)
  }
  return text
}

/** A connection of {@link scripted} after the login. */
export interface Scripted {
  readonly reply: (id: number, text: string) => void
  readonly socket: net.Socket
}

/** Starts a server that accepts any password, and passes each packet after the login to `onPacket`. */
export const scripted = (onPacket: (packet: SourceRconPacket, connection: Scripted, nth: number) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ port: number; sockets: ReadonlyArray<net.Socket>; server: net.Server }>((resume) => {
      const sockets: Array<net.Socket> = []
      const server = net.createServer((socket) => {
        const nth = sockets.push(socket)
        const framer = new SourceRconFramer()
        socket.on("error", () => {})
        const reply = (id: number, text: string) =>
          socket.write(encodePacket({ id, type: RESPONSE_VALUE, body: new TextEncoder().encode(text) }))
        socket.on("data", (bytes: Uint8Array) => {
          for (const packet of framer.push(bytes)) {
            if (packet.type === AUTH) {
              socket.write(encodePacket({ id: packet.id, type: AUTH_RESPONSE, body: new Uint8Array(0) }))
            } else onPacket(packet, { reply, socket }, nth)
          }
        })
      })
      server.listen(0, "127.0.0.1", () => {
        resume(Effect.succeed({ port: (server.address() as net.AddressInfo).port, sockets, server }))
      })
    }),
    ({ server, sockets }) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
