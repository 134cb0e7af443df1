/** Loopback addresses, by their text. */
import { canonicalAddress } from "@sourcewire/core/machines"

/** 127.0.0.0/8 and ::1, in any spelling, IPv4 in IPv6's clothes too. A name is none, whatever it stands for. */
export const isLoopback = (address: string): boolean =>
  /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/.test(canonicalAddress(address) ?? "")
