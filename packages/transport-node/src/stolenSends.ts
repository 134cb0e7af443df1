/**
 * Sends with `node:dgram` on Bun. Bun reports the error of an earlier datagram (ICMP port unreachable) on a later one, with the wrong
 * receiver. Node and Deno do not.
 */
import { toSocketFault } from "@sourcewire/core/transport"
import type { Socket } from "node:dgram"

/** How often a datagram is sent again, because it got the error of an earlier one. */
const MAX_STOLEN_SENDS = 8

/** Sends a datagram, and repeats it if it gets another datagram's error. `onSent` is called with any other result. */
export const sendAnew = (
  socket: Socket,
  bytes: Uint8Array,
  address: string,
  port: number,
  onSent: (error: Error | null) => void,
  times = MAX_STOLEN_SENDS
): void =>
  socket.send(bytes, port, address, (error) => {
    if (error === null || toSocketFault(error).kind !== "refused") onSent(error)
    else if (times > 0) sendAnew(socket, bytes, address, port, onSent, times - 1)
  })
