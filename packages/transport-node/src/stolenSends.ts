/**
 * Sends with `node:dgram` on Bun. When you send a datagram, Bun can report the error of an earlier datagram (ICMP port unreachable). Then
 * Bun does not send the new datagram, and the error names the wrong receiver. Node and Deno do not report errors of earlier datagrams.
 */
import { toSocketFault } from "@sourcewire/core/transport"
import type { Socket } from "node:dgram"

/** Maximum number of times that a datagram is sent again because `send` reported the error of an earlier datagram. */
const MAX_RESENDS = 8

/**
 * Sends a datagram, and passes the result to `onSent`. If the result is the error of an earlier datagram, the function does not call
 * `onSent`, but sends the datagram again, at most `times` times. If the last attempt also has such a result, `onSent` is never called.
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
