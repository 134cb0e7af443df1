/**
 * Numeric IPv4 addresses as text and as numbers, and the keys that senders are found by. IPv6 is in `ipv6.ts`.
 *
 * @module
 */

/** IP version, spelt as the number in its name. */
export type Family = 4 | 6

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}(?<!\.)$/

/** Four decimal numbers without leading zeros. */
export const isIpv4 = (text: string): boolean => IPV4.test(text)

/**
 * Key of a sender in a route table: a number for IPv4 (address and port in 48 bits; no text is built per datagram), a text for IPv6.
 */
export const routeKey = (address: string, port: number): number | string => {
  let value = 0
  let part = 0
  for (let i = 0; i < address.length; i++) {
    const code = address.charCodeAt(i)
    if (code === 0x2e) {
      value = value * 256 + part
      part = 0
    } else if (code >= 0x30 && code <= 0x39) part = part * 10 + code - 0x30
    else return `${address} ${port}`
  }
  return (value * 256 + part) * 65_536 + port
}

/** A numeric IPv4 address as a number of 32 bits. */
export const ipv4Number = (address: string): number =>
  address.split(".").reduce((number, part) => number * 256 + Number(part), 0)

/** `0.` to `255.`: putting four texts together takes half as long as seven, and a scan does it for each datagram that it sends. */
const DOTTED: ReadonlyArray<string> = /* @__PURE__ */ Array.from({ length: 256 }, (_, part) => `${part}.`)

/** The address of a number of 32 bits. */
export const ipv4Text = (number: number): string =>
  `${DOTTED[number >>> 24]!}${DOTTED[(number >>> 16) & 255]!}${DOTTED[(number >>> 8) & 255]!}${number & 255}`

/** The address of a route key. */
export const addressOf = (key: number | string): string =>
  typeof key === "number" ? ipv4Text(Math.floor(key / 65_536)) : key.slice(0, key.indexOf(" "))

/** {@link routeKey} of `1.2.3.4:27015` as it stands in lists, or −1 for any other text, which a real parser has to see. */
export const routeKeyOfText = (text: string, defaultPort: number): number => {
  let key = 0
  let part = -1
  let ends = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x30 && code <= 0x39) {
      // A zero leads no number; and none has so many digits that it would no longer be exact.
      if (part === 0 || part > 65_535) return -1
      part = (part === -1 ? 0 : part * 10) + code - 0x30
    } else {
      if (code !== (ends === 3 ? 0x3a : 0x2e) || part === -1 || part > 255 || ends === 4) return -1
      key = key * 256 + part
      part = -1
      ends++
    }
  }
  if (part === -1 || ends < 3) return -1
  if (ends === 3) return part > 255 ? -1 : (key * 256 + part) * 65_536 + defaultPort
  return part >= 1 && part <= 65_535 ? key * 65_536 + part : -1
}
