/**
 * Loopback addresses, by their text.
 *
 * @module
 */

/** 127.0.0.0/8 and ::1. A name is none, whatever it stands for. */
export const isLoopback = (address: string): boolean => /^127(\.\d{1,3}){3}$/.test(address) || address === "::1"

/** A second address of this host, for forged replies. IPv6 has only one loopback address: there it is another port of it. */
export const otherLoopback = (address: string): string => {
  if (address.includes(":")) return address
  return address === "127.0.0.2" ? "127.0.0.3" : "127.0.0.2"
}
