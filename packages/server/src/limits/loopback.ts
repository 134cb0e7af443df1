/** Recognizes loopback addresses by their text. */
import { canonicalAddress } from "@sourcewire/core/address"

/** 127.0.0.0/8 and ::1, in any spelling, including IPv4 mapped to IPv6. A host name is never one. */
export const isLoopback = (address: string): boolean =>
  /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/.test(canonicalAddress(address) ?? "")
