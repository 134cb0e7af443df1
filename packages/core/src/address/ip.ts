/** The keys that senders are found by, and the addresses that are read without a regular expression: numeric IPv4, as most are. */

/** IP version, spelt as the number in its name. */
export type Family = 4 | 6

/**
 * Key of a sender in a route table: a number for IPv4 (address and port in 48 bits; no text is built per datagram), a text for IPv6.
 */
export const routeKey = (address: string, port: number): number | string => {
  const key = routeKeyOfText(address, port)
  return key === -1 ? `${address} ${port}` : key
}

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

/** The address of such a text, or `undefined` for anything else. */
export const ipv4Address = (
  input: unknown,
  defaultPort: number
): { readonly host: string; readonly family: 4; readonly port: number } | undefined => {
  const key = typeof input === "string" ? routeKeyOfText(input, defaultPort) : -1
  if (key === -1) return undefined
  const [host] = (input as string).split(":", 1)
  return { host: host!, family: 4, port: key & 65_535 }
}
