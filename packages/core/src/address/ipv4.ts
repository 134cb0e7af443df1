/** Numeric IPv4 addresses as text and as numbers. How most are read, and what senders are found by, is in `ip.ts`. */
import { routeKeyOfText } from "./ip.ts"

/** Four decimal numbers without leading zeros. */
export const isIpv4 = (text: string): boolean => !text.includes(":") && routeKeyOfText(text, 0) !== -1

/** A numeric IPv4 address as a number of 32 bits. */
export const ipv4Number = (address: string): number => Math.floor(routeKeyOfText(address, 0) / 65_536)

/** `0.` to `255.`: putting four texts together takes half as long as seven, and a scan does it for each datagram that it sends. */
const DOTTED: ReadonlyArray<string> = /* @__PURE__ */ Array.from({ length: 256 }, (_, part) => `${part}.`)

/** The address of a number of 32 bits. */
export const ipv4Text = (number: number): string =>
  `${DOTTED[number >>> 24]!}${DOTTED[(number >>> 16) & 255]!}${DOTTED[(number >>> 8) & 255]!}${number & 255}`

/** The address of a route key. */
export const addressOf = (key: number | string): string =>
  typeof key === "number" ? ipv4Text(Math.floor(key / 65_536)) : key.slice(0, key.indexOf(" "))
