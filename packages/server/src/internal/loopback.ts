/**
 * Loopback addresses, by their text.
 *
 * @module
 */
import { Address } from "@sourcewire/core"

/** 127.0.0.0/8 and ::1, in any spelling, IPv4 in IPv6's clothes too. A name is none, whatever it stands for. */
export const isLoopback = (address: string): boolean =>
  /^(?:::1|(?:::ffff:)?127\.[\d.]+)$/.test(Address.canonicalAddress(address) ?? "")

/** A second address of this host, for forged replies. IPv6 has only one loopback address: there it is another port of it. */
export const otherLoopback = (address: string): string => {
  if (address.includes(":")) return address
  return address === "127.0.0.2" ? "127.0.0.3" : "127.0.0.2"
}
