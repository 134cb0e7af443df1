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

/** The address of a number of 32 bits. */
export const ipv4Text = (number: number): string =>
  `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`

/**
 * {@link routeKey} of `1.2.3.4:27015` as it stands in lists, or −1 for any other text, which a real parser has to see. Reading it and
 * looking whether the number is written so again is the least code: in a first scan, compiling a loop with checks costs more than it saves.
 */
export const routeKeyOfText = (text: string, defaultPort: number): number => {
  const colon = text.indexOf(":")
  const address = colon === -1 ? text : text.slice(0, colon)
  const port = colon === -1 ? defaultPort : Number(text.slice(colon + 1))
  const key = routeKey(address, port)
  if (typeof key === "string" || !(port >= 1 && port <= 65_535)) return -1
  if (colon !== -1 && String(port) !== text.slice(colon + 1)) return -1
  return ipv4Text(Math.floor(key / 65_536)) === address ? key : -1
}
