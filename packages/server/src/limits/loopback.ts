/** Recognizes loopback addresses by their text. */
import { canonicalAddress } from "@sourcewire/core/address"

/** Whether an address is in 127.0.0.0/8 or is ::1, in any spelling, including IPv4 mapped to IPv6. The result is false for host names. */
export const isLoopback = (address: string): boolean =>
  /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/.test(canonicalAddress(address) ?? "")
