/**
 * UDP over `node:dgram`: the `Datagrams` seam for Node. It normalises the runtime's errors and does nothing else.
 *
 * @module
 */
import type { DatagramHandle, DatagramHandler, Family, OpenOptions, SendFailed } from "@sourcewire/core"
import { Datagrams, SystemFault } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as dgram from "node:dgram"
import { resolve } from "./NodeNames.ts"

const WILDCARD: Readonly<Record<Family, string>> = { 4: "0.0.0.0", 6: "::" }

// node:dgram looks every address up before each send, numeric ones too: 20 % of a scan's time. Ours are always numeric.
const numericOnly =
  (family: Family) =>
  (
    host: string,
    _options: unknown,
    callback: (error: NodeJS.ErrnoException | null, address: string, family: number) => void
  ): void =>
    callback(null, host, family)

/** Asks for a queue size; systems with a hard cap refuse, and what there is then has to do. */
const trySize = (set: () => void): void => {
  try {
    set()
  } catch {
    return
  }
}

const handleOf = (socket: dgram.Socket, options: OpenOptions, handler: DatagramHandler): DatagramHandle => {
  const onSent = (error: Error | null): void => {
    if (error !== null) handler.onFault(SystemFault.faultOf(error))
  }
  const { address, port } = socket.address()
  const isConnected = options.connect !== undefined
  return {
    local: { address, port },
    receiveBufferBytes: socket.getRecvBufferSize(),
    sendBufferBytes: socket.getSendBufferSize(),
    send: isConnected
      ? (bytes) => socket.send(bytes, onSent)
      : (bytes, address, port) => socket.send(bytes, port, address, onSent)
  }
}

const open = (options: OpenOptions, handler: DatagramHandler) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<dgram.Socket, SendFailed>((resume) => {
        const { bind, connect, family } = options
        const socket = dgram.createSocket({
          type: family === 4 ? "udp4" : "udp6",
          ipv6Only: family === 6,
          lookup: numericOnly(family)
        })
        const onOpenError = (error: Error): void => {
          socket.close()
          resume(Effect.fail(SystemFault.openFailed(error)))
        }
        const onOpen = (): void => {
          socket.off("error", onOpenError)
          socket.on("error", (error) => handler.onFault(SystemFault.faultOf(error)))
          const { receiveBufferBytes, sendBufferBytes } = options
          if (receiveBufferBytes !== undefined) trySize(() => socket.setRecvBufferSize(receiveBufferBytes))
          if (sendBufferBytes !== undefined) trySize(() => socket.setSendBufferSize(sendBufferBytes))
          resume(Effect.succeed(socket))
        }
        socket.once("error", onOpenError)
        socket.on("message", (bytes, sender) => handler.onDatagram(bytes, sender.address, sender.port))
        if (options.keepsProcess !== true) socket.unref()
        socket.bind({ address: bind?.address ?? WILDCARD[family], port: bind?.port ?? 0, exclusive: true }, () => {
          if (connect === undefined) onOpen()
          else {
            socket.once("connect", onOpen)
            socket.connect(connect.port, connect.address)
          }
        })
      }),
      (socket) => Effect.sync(() => socket.close())
    ),
    (socket) => handleOf(socket, options, handler)
  )

/** UDP of Node. */
export const layer: Layer.Layer<Datagrams> = Layer.succeed(Datagrams, { open, resolve })
