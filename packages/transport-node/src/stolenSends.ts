/**
 * Sends with `node:dgram` on Bun. When a datagram is sent, Bun can report the error of an earlier datagram (ICMP port unreachable). The
 * error then names the wrong receiver. Node and Deno do not report errors of earlier datagrams.
 */
import { toSocketFault } from "@sourcewire/core/transport"
import type { Socket } from "node:dgram"

/** Maximum number of times that a datagram is sent again because `send` reported the error of an earlier datagram. */
const MAX_RESENDS = 8

/**
 * Sends a datagram. If the result is the error of an earlier datagram, the function sends the datagram again, at most `times` times. For
 * every other result, the function calls `onSent`. If every attempt reports such an error, `onSent` is not called.
 */
export const sendDespiteEarlierError = (
  socket: Socket,
  bytes: Uint8Array,
  address: string,
  port: number,
  onSent: (error: Error | null) => void,
  times = MAX_RESENDS
): void =>
  socket.send(bytes, port, address, (error) => {
    if (error === null || toSocketFault(error).kind !== "refused") onSent(error)
    else if (times > 0) sendDespiteEarlierError(socket, bytes, address, port, onSent, times - 1)
  })
