/** Where to ask: a host (name or numeric) and a port, read from what people type. Names are not looked up here. */
import { TaggedError } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { isIpv4 } from "./ip.ts"
import { canonicalIpv6 } from "./ipv6.ts"
import { demand, isText, isWhole, shown } from "../edge.ts"

/** The port that Source and GoldSource servers use unless told otherwise. */
export const DEFAULT_PORT = 27015

/** A host and a port. */
export interface Address {
  /** A name in lower case, or a numeric address in canonical form without brackets. */
  readonly host: string
  /** 1–65535. */
  readonly port: number
  /** IP version of a numeric host; absent for a name. */
  readonly family?: 4 | 6
}

/** The text is not an address; the message says what is wrong with it. */
export class InvalidAddress
  extends /* @__PURE__ */ TaggedError("InvalidAddress")<{
    readonly message: string
    /** The text as it was given. */
    readonly input: string
  }> {}

const invalid = (given: unknown, why: string) => {
  const input = isText(given) ? given : shown(given)
  return Result.fail(
    new InvalidAddress({
      message: `${shown(input)} is not an address: ${why}. Write host, host:port, 1.2.3.4:27015 or [::1]:27015.`,
      input
    })
  )
}

// Underscores are no part of host names by the book, and common on LANs. Letters of any script: resolvers translate them. The classes
// of Unicode take a millisecond to read, which numeric addresses do without.
const isLabel = (text: string): boolean => /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?$/u.test(text)

const MAX_HOST_LENGTH = 253

/** `undefined` for a text that can be neither a numeric IPv4 address nor a host name. */
const parseHost = (text: string): Omit<Address, "port"> | undefined => {
  const host = text.toLowerCase()
  if (isIpv4(host)) return { host, family: 4 }
  const labels = (host.endsWith(".") ? host.slice(0, -1) : host).split(".")
  if (host.length > MAX_HOST_LENGTH || !labels.every(isLabel)) return undefined
  // `1.2.3` and `300.1.1.1` would be names by their letters, yet nobody means a name by them.
  return /^\d+$/.test(labels.at(-1)!) ? undefined : { host }
}

const parsePort = (text: string): number | undefined => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : undefined
}

const isPort = (value: unknown, least: number): value is number => isWhole(least, 65_535)(value)

/** What Steam's links to a server begin with. A password behind the address is left out. */
const STEAM_LINK = /^steam:\/\/connect\/([^/]*)(?:\/.*)?$/i

/**
 * Reads `host`, `host:port`, `1.2.3.4:27015`, `[::1]:27015`, `[::1]`, `::1`, or one of them behind `steam://connect/`; surrounding
 * blanks are fine.
 */
export const parse = (input: string, defaultPort: number = DEFAULT_PORT): Result.Result<Address, InvalidAddress> => {
  if (!isText(input)) return invalid(input, "it is no text")
  if (!isPort(defaultPort, 0)) return invalid(input, "the default port must be a number from 0 to 65535")
  const trimmed = input.trim()
  const text = trimmed.includes("/") ? trimmed.replace(STEAM_LINK, "$1") : trimmed
  if (text === "") return invalid(input, "it is empty")
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text)
  if (bracketed !== null || text.indexOf(":") !== text.lastIndexOf(":")) {
    const host = canonicalIpv6(bracketed === null ? text : bracketed[1]!)
    if (host === undefined) return invalid(input, "no IPv6 address looks like that")
    const port = bracketed?.[2] === undefined ? defaultPort : parsePort(bracketed[2])
    return port === undefined
      ? invalid(input, "the port must be a number from 1 to 65535")
      : Result.succeed({ host, port, family: 6 })
  }
  const colon = text.indexOf(":")
  const host = parseHost(colon === -1 ? text : text.slice(0, colon))
  if (host === undefined) return invalid(input, "the host is neither a name nor a numeric address")
  const port = colon === -1 ? defaultPort : parsePort(text.slice(colon + 1))
  return port === undefined
    ? invalid(input, "the port must be a number from 1 to 65535")
    : Result.succeed({ ...host, port })
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
  if (isText(input)) return parse(input)
  const { host, port } = partsOf(input)
  if (isPort(port, 1) && isText(host)) {
    return isIpv4(host) ? Result.succeed({ host, family: 4, port }) : parse(format({ host, port }))
  }
  return invalid(
    isText(host) ? `${host}:${shown(port)}` : input,
    "it must be a text, or have a host that is a text and a port from 1 to 65535"
  )
}

/** `host:port`, with brackets around an IPv6 host. `parse` reads it back. */
export const format = (address: { readonly host: string; readonly port: number }): string => {
  const { host, port } = partsOf(address)
  demand("host", "a text", isText, host)
  demand("port", "a number from 0 to 65535", (value) => isPort(value, 0), port)
  return (host as string).includes(":")
    ? `[${host as string}]:${port as number}`
    : `${host as string}:${port as number}`
}

/** The one spelling of a numeric address that resolvers and sockets are compared by; `undefined` for anything else. */
export const canonicalAddress = (text: string): string | undefined =>
  isText(text) ? (isIpv4(text) ? text : canonicalIpv6(text)) : undefined
