/** Parses the host of an address, and finds the network of a host. */

/** Returns the host without its port. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`) is converted to IPv4. */
export const parseHost = (address: string): string => {
  const host = address.slice(0, address.lastIndexOf(":")).replace(/^\[|\]$/g, "")
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(host)?.[1] ?? host
}

/**
 * Returns the /64 network of an IPv6 address. Providers usually assign a whole /64 network to a machine. Therefore a machine can have many
 * IPv6 addresses. For an IPv4 address, the result is the address itself.
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
