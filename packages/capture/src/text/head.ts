/**
 * How a datagram of the protocol begins.
 *
 * @module
 */
import { isConnectionless, isSplit } from "@sourcewire/protocol/machines"

/** Whether bytes begin as every connectionless message (−1) or fragment (−2) of the protocol does. */
export const hasProtocolHead = (bytes: Uint8Array): boolean => isConnectionless(bytes) || isSplit(bytes)
