/** The host of an address, and for IPv6 the network that one machine may use whole. */

/** The host without its port; an IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address. */
export const parseHost = (address: string): string => {
  const host = address.slice(0, address.lastIndexOf(":")).replace(/^\[|\]$/g, "")
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(host)?.[1] ?? host
}

/**
 * The network of a host: providers give a machine a /64, so an IPv6 address tells machines apart no better than a port does. An IPv4
 * address is a network of its own.
 */
export const findNetwork = (ip: string): string => {
  if (!ip.includes(":")) return ip
  const [head = "", tail] = ip.replace(/%.*$/, "").split("::")
  const [first, last] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [
    Array<string>,
    Array<string>
  ]
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  const groups = [...first, ...Array.from({ length: zeros }, () => "0"), ...last]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(":").replace(/(?::0)+$/, "")}::/64`
}
