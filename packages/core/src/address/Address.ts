/** Where to ask: a host (name or numeric) and a port, read from what people type. Names are not looked up here. */
import * as Result from "effect/Result"
import { isWhole, refuse, shown } from "../edge.ts"
import { type Address, InvalidAddress, invalid, parseText } from "./addressText.ts"
import { ipv4Address } from "./ip.ts"

export { type Address, InvalidAddress }

/** The port that Source and GoldSource servers use unless told otherwise. */
export const DEFAULT_PORT = 27015

const isPort = /* @__PURE__ */ isWhole(0, 65_535)

/**
 * Reads `host`, `host:port`, `1.2.3.4:27015`, `[::1]:27015`, `[::1]` and `::1`; also what people paste: `steam://connect/…`,
 * `steam://run/…//+connect …` and the console's `connect 1.2.3.4:27015; password x`. Surrounding blanks are fine.
 */
export const parse = (input: string, defaultPort: number = DEFAULT_PORT): Result.Result<Address, InvalidAddress> => {
  if (typeof input !== "string") return invalid(input, "it is not a text")
  if (!isPort(defaultPort)) return invalid(input, "the default port must be a number from 0 to 65535")
  const plain = ipv4Address(input, defaultPort)
  return plain === undefined ? parseText(input, defaultPort) : Result.succeed(plain)
}

/** Host and port of what is perhaps no address at all, and may not even want to be looked at. */
const partsOf = (input: unknown): { readonly host?: unknown; readonly port?: unknown } => {
  try {
    const { host, port } = input as Address
    return { host, port }
  } catch {
    return {}
  }
}

/** Reads text, or checks an address that a program has put together. Whatever else JavaScript may hand it is not an address. */
export const from = (input: string | Address): Result.Result<Address, InvalidAddress> => {
  if (typeof input === "string") return parse(input)
  const { host, port } = partsOf(input)
  if (isPort(port) && port > 0 && typeof host === "string") {
    const plain = host.includes(":") ? undefined : ipv4Address(host, port)
    return plain === undefined ? parse(format({ host, port })) : Result.succeed(plain)
  }
  return invalid(
    typeof host === "string" ? `${host}:${shown(port)}` : input,
    "it must be a text, or have a host that is a text and a port from 1 to 65535"
  )
}

/** `host:port`, with brackets around an IPv6 host. `parse` reads it back. */
export const format = (address: { readonly host: string; readonly port: number }): string => {
  const { host, port } = partsOf(address)
  if (typeof host !== "string") return refuse("host", "a text", host)
  if (!isPort(port)) return refuse("port", "a number from 0 to 65535", port)
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`
}
