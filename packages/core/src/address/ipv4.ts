/** Numeric IPv4 addresses as text and as numbers. How most are read, and what senders are found by, is in `ip.ts`. */
import { routeKeyOfText } from "./ip.ts"

/** The number of 32 bits that four decimal numbers without leading zeros stand for, as in `192.0.2.1`; −1 for any other text. */
export const ipv4Number = (text: string): number => {
  const key = routeKeyOfText(text, 0)
  // A port that stands in the text is none of 0.
  return (key & 65_535) === 0 ? key / 65_536 : -1
}

export const isIpv4 = (text: string): boolean => ipv4Number(text) !== -1

/** `0.` to `255.`: putting four texts together takes half as long as seven, and a scan does it for each datagram that it sends. */
const DOTTED: ReadonlyArray<string> = /* @__PURE__ */ Array.from({ length: 256 }, (_, part) => `${part}.`)

/** The address of a number of 32 bits. */
export const ipv4Text = (number: number): string =>
  `${DOTTED[number >>> 24]!}${DOTTED[(number >>> 16) & 255]!}${DOTTED[(number >>> 8) & 255]!}${number & 255}`

/** The address of a route key. */
export const addressOf = (key: number | string): string =>
  typeof key === "number" ? ipv4Text(Math.floor(key / 65_536)) : key.slice(0, key.indexOf(" "))
