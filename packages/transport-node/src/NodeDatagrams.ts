/**
 * UDP and name lookup over `node:dgram` and `node:dns`: the `Datagrams` seam for Node. It normalises the runtime's errors and does
 * nothing else.
 *
 * @module
 */
import type { DatagramHandle, DatagramHandler, Family, OpenOptions, SocketFault } from "@sourcewire/core"
import { Address, Datagrams, SendFailed, Unresolved } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as dgram from "node:dgram"
import * as dns from "node:dns"

const WILDCARD: Readonly<Record<Family, string>> = { 4: "0.0.0.0", 6: "::" }

/** An error of the system, as Node passes it on. */
interface SystemError extends Error {
  readonly code?: string
  readonly address?: string
  readonly port?: number
}

// Windows reports port unreachable as a reset.
const REFUSED = new Set(["ECONNREFUSED", "ECONNRESET"])
const UNREACHABLE = new Set(["EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "ENETDOWN", "EADDRNOTAVAIL"])

const faultOf = (error: SystemError): SocketFault => {
  const { address, code, message, port } = error
  const kind = REFUSED.has(code ?? "") ? "refused" : UNREACHABLE.has(code ?? "") ? "unreachable" : "failed"
  return {
    kind,
    message:
      kind === "unreachable" ? `No way to that address (${code}): check the network and the IP version.` : message,
    ...(code === undefined ? {} : { code }),
    ...(address === undefined || port === undefined ? {} : { peer: { address, port } })
  }
}

const openFailed = (error: SystemError): SendFailed => {
  const { kind, message } = faultOf(error)
  return new SendFailed({
    message: kind === "unreachable" ? message : `The system gave no UDP socket: ${message}.`,
    ...(error.code === undefined ? {} : { code: error.code })
  })
}

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
    if (error !== null) handler.onFault(faultOf(error))
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
          resume(Effect.fail(openFailed(error)))
        }
        const onOpen = (): void => {
          socket.off("error", onOpenError)
          socket.on("error", (error) => handler.onFault(faultOf(error)))
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

const resolve = (host: string, family?: Family) => {
  const numeric = Address.canonicalAddress(host)
  if (numeric !== undefined) {
    return Effect.succeed({ address: numeric, family: numeric.includes(":") ? (6 as const) : (4 as const) })
  }
  return Effect.callback<{ readonly address: string; readonly family: Family }, Unresolved>((resume) => {
    dns.lookup(host, { all: true, family: family ?? 0 }, (error, found) => {
      // Game servers listen on IPv4 far more often, and `localhost` comes as ::1 first.
      const best = found?.find((one) => one.family === 4) ?? found?.[0]
      resume(
        error === null && best !== undefined
          ? Effect.succeed({
              address: Address.canonicalAddress(best.address) ?? best.address,
              family: best.family === 6 ? 6 : 4
            })
          : Effect.fail(
              new Unresolved({
                message: `The name ${host} has no ${family === undefined ? "" : `IPv${family} `}address (${error?.code ?? "none found"}): check its spelling and your name server.`,
                host
              })
            )
      )
    })
  })
}

/** UDP of Node. */
export const layer: Layer.Layer<Datagrams> = Layer.succeed(Datagrams, { open, resolve })
