/**
 * Creates keys for routing tables, and parses numeric IPv4 addresses. This parser must be fast, because most addresses are numeric IPv4
 * addresses.
 */

/** IP version. */
export type Family = 4 | 6

/**
 * The key of an address and port in a routing table. For IPv4, the key is a number of 48 bits, so that no text is created per datagram. For
 * IPv6, the key is a text.
 */
export const routeKey = (address: string, port: number): number | string => {
  const key = routeKeyOfText(address, port)
  return key === -1 ? `${address} ${port}` : key
}

/**
 * Returns the {@link routeKey} of a numeric IPv4 address with or without a port: `1.2.3.4` or `1.2.3.4:27015`. Returns −1 for any other
 * text: only `addressText.ts` can parse such a text.
 */
export const routeKeyOfText = (text: string, defaultPort: number): number => {
  let key = 0
  let part = -1
  let ends = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x30 && code <= 0x39) {
      // A leading zero is invalid. A number above 65535 is rejected before its next digit is read, because a number with many digits would
      // lose precision.
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

/** Parses a numeric IPv4 address, with or without a port; `undefined` for any other value. */
export const ipv4Address = (
  input: unknown,
  defaultPort: number
): { readonly host: string; readonly family: 4; readonly port: number } | undefined => {
  const key = typeof input === "string" ? routeKeyOfText(input, defaultPort) : -1
  if (key === -1) return undefined
  const [host] = (input as string).split(":", 1)
  return { host: host!, family: 4, port: key & 65_535 }
}
