/** Converts numeric IPv4 addresses to numbers, and numbers to addresses. `ip.ts` contains the parser. */
import { routeKeyOfText } from "./ip.ts"

/** The 32-bit number of an IPv4 address such as `192.0.2.1`; −1 for any other text. Leading zeros are not allowed. */
export const ipv4Number = (text: string): number => {
  const key = routeKeyOfText(text, 0)
  // The port in the key is 0 only if the text contains no port.
  return (key & 65_535) === 0 ? key / 65_536 : -1
}

export const isIpv4 = (text: string): boolean => ipv4Number(text) !== -1

/**
 * The texts `0.` to `255.`. These texts contain the dots, so that {@link ipv4Text} joins only four texts instead of seven, and takes half
 * as long. A scan calls {@link ipv4Text} for each datagram that the scan sends.
 */
const DOTTED: ReadonlyArray<string> = /* @__PURE__ */ Array.from({ length: 256 }, (_, part) => `${part}.`)

/** Formats a 32-bit number as an IPv4 address. */
export const ipv4Text = (number: number): string =>
  `${DOTTED[number >>> 24]!}${DOTTED[(number >>> 16) & 255]!}${DOTTED[(number >>> 8) & 255]!}${number & 255}`

/** Returns the address that a route key contains. */
export const keyAddress = (key: number | string): string =>
  typeof key === "number" ? ipv4Text(Math.floor(key / 65_536)) : key.slice(0, key.indexOf(" "))
