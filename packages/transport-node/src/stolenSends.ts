/**
 * Sending with `node:dgram` on Bun, which reports the end of an earlier datagram (ICMP port unreachable) in a later one's stead, and
 * blames that one's receiver. Node and Deno do neither.
 */
import { faultOf } from "@sourcewire/core/transport"
import type { Socket } from "node:dgram"

/** How often a datagram is sent anew because the system reported an earlier one's end in its stead. */
const MAX_STOLEN_SENDS = 8

/** Sends it again while it is blamed for others. `onSent` hears of anything else. */
export const sendAnew = (
  socket: Socket,
  bytes: Uint8Array,
  address: string,
  port: number,
  onSent: (error: Error | null) => void,
  times = MAX_STOLEN_SENDS
): void =>
  socket.send(bytes, port, address, (error) => {
    if (error === null || faultOf(error).kind !== "refused") onSent(error)
    else if (times > 0) sendAnew(socket, bytes, address, port, onSent, times - 1)
  })
