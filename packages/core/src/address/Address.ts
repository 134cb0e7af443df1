/** Parses addresses of servers. An address is a host (a name or a numeric address) and a port. Names are not resolved. */
import * as Result from "effect/Result"
import { isWhole, refuse, shown } from "../edge.ts"
import { type Address, InvalidAddress, invalid, parseText } from "./addressText.ts"
import { ipv4Address } from "./ip.ts"

export { type Address, InvalidAddress }

/** The default port of Source and GoldSource servers. */
export const DEFAULT_PORT = 27015

const isPort = /* @__PURE__ */ isWhole(0, 65_535)

/**
 * Parses `host`, `host:port`, `1.2.3.4:27015`, `[::1]:27015`, `[::1]` and `::1`. Also accepts links and commands that users paste:
 * `steam://connect/…`, `steam://run/…//+connect …` and `connect 1.2.3.4:27015; password x`. Surrounding spaces are allowed.
 */
export const parse = (input: string, defaultPort: number = DEFAULT_PORT): Result.Result<Address, InvalidAddress> => {
  if (typeof input !== "string") return invalid(input, "it is not a text")
  if (!isPort(defaultPort)) return invalid(input, "the default port must be a number from 0 to 65535")
  const plain = ipv4Address(input, defaultPort)
  return plain === undefined ? parseText(input, defaultPort) : Result.succeed(plain)
}

/** Returns the host and the port of any value. Returns an empty object if reading these properties throws. */
const readParts = (input: unknown): { readonly host?: unknown; readonly port?: unknown } => {
  try {
    const { host, port } = input as Address
    return { host, port }
  } catch {
    return {}
  }
}

/** Parses a text, or validates an address object. */
export const from = (input: string | Address): Result.Result<Address, InvalidAddress> => {
  if (typeof input === "string") return parse(input)
  const { host, port } = readParts(input)
  if (isPort(port) && port > 0 && typeof host === "string") {
    const plain = host.includes(":") ? undefined : ipv4Address(host, port)
    return plain === undefined ? parse(format({ host, port })) : Result.succeed(plain)
  }
  return invalid(
    typeof host === "string" ? `${host}:${shown(port)}` : input,
    "it must be a text, or have a host that is a text and a port from 1 to 65535"
  )
}

/**
 * Formats an address as `host:port`, with brackets around an IPv6 host. If the host is valid and the port is not 0, `parse` accepts the
 * result.
 */
export const format = (address: { readonly host: string; readonly port: number }): string => {
  const { host, port } = readParts(address)
  if (typeof host !== "string") return refuse("host", "a text", host)
  if (!isPort(port)) return refuse("port", "a number from 0 to 65535", port)
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`
}
