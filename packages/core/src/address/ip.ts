/**
 * Numeric IP addresses as text: is it one, and its one canonical spelling, the way runtimes report senders.
 *
 * @module
 */

/** IP version, spelt as the number in its name. */
export type Family = 4 | 6

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}(?<!\.)$/

/** Four decimal numbers without leading zeros. */
export const isIpv4 = (text: string): boolean => IPV4.test(text)

/** The eight groups of an IPv6 address without zone, or `undefined`. */
const groupsOf = (text: string): ReadonlyArray<number> | undefined => {
  const halves = text.split("::")
  if (halves.length > 2) return undefined
  const parts = halves.map((half) => (half === "" ? [] : half.split(":")))
  const last = parts.at(-1)!
  const dotted = last.at(-1)
  if (dotted?.includes(".") === true) {
    if (!isIpv4(dotted)) return undefined
    const [a, b, c, d] = dotted.split(".").map(Number) as [number, number, number, number]
    last.splice(-1, 1, ((a << 8) | b).toString(16), ((c << 8) | d).toString(16))
  }
  const [head = [], tail] = parts
  if (![...head, ...(tail ?? [])].every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return undefined
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  return [...head, ...Array.from({ length: missing }, () => "0"), ...(tail ?? [])].map((part) =>
    Number.parseInt(part, 16)
  )
}

/** Start and length of the longest run of two or more zero groups; the first of equals. */
const longestZeros = (groups: ReadonlyArray<number>): readonly [start: number, length: number] => {
  let best: readonly [number, number] = [-1, 1]
  for (let i = 0; i < groups.length; i++) {
    let end = i
    while (groups[end] === 0) end++
    if (end - i > best[1]) best = [i, end - i]
    if (end > i) i = end
  }
  return best
}

/** RFC 5952: lower case, no leading zeros, `::` for the longest run, IPv4-mapped ones dotted. A zone (`%eth0`) is kept. */
export const canonicalIpv6 = (text: string): string | undefined => {
  const percent = text.indexOf("%")
  const zone = percent === -1 ? "" : text.slice(percent)
  if (zone.length === 1 || /[\s%\]]/.test(zone.slice(1))) return undefined
  const groups = groupsOf(percent === -1 ? text : text.slice(0, percent))
  if (groups === undefined) return undefined
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high, low] = [groups[6]!, groups[7]!]
    return `::ffff:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}${zone}`
  }
  const [start, length] = longestZeros(groups)
  const hex = groups.map((group) => group.toString(16))
  return start === -1
    ? hex.join(":") + zone
    : `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}${zone}`
}

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

/** An IPv6 address without zone as a number of 128 bits; 0 for what is none. */
export const ipv6Number = (address: string): bigint =>
  (groupsOf(address) ?? []).reduce((number, group) => (number << 16n) | BigInt(group), 0n)

/** See `networkOf` of `IpRanges`. */
export const networkOf = (address: string, bits: 48 | 64): string => {
  if (!address.includes(":")) return address
  const groups = groupsOf(address.replace(/%.*/, ""))
  if (groups === undefined) return address
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return ipv4Text(groups[6]! * 65_536 + groups[7]!)
  }
  const network = groups.slice(0, bits / 16).map((group) => group.toString(16))
  return `${network.join(":")}::/${bits}`
}

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
