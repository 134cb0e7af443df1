/** Addresses as people type them, but for numeric IPv4, which is read in `ip.ts`: names, brackets, links of Steam, and what is none. */
import { TaggedError } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { isText, shown } from "../edge.ts"
import type { Address } from "./Address.ts"
import { isIpv4 } from "./ipv4.ts"
import { canonicalIpv6 } from "./ipv6.ts"

/** The text is not an address; the message says what is wrong with it. */
export class InvalidAddress
  extends /* @__PURE__ */ TaggedError("InvalidAddress")<{
    readonly message: string
    /** The text as it was given. */
    readonly input: string
  }> {}

/** Says why it is none. */
export const invalid = (given: unknown, why: string) => {
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

const parseIpv6 = (text: string): Omit<Address, "port"> | undefined => {
  const host = canonicalIpv6(text)
  return host === undefined ? undefined : { host, family: 6 }
}

/** What Steam's links to a server begin with. A password behind the address is left out. */
const STEAM_LINK = /^steam:\/\/connect\/([^/]*)(?:\/.*)?$/i

/** See `parse` of `Address.ts`. */
export const parseText = (input: string, defaultPort: number): Result.Result<Address, InvalidAddress> => {
  const trimmed = input.trim()
  const text = trimmed.includes("/") ? trimmed.replace(STEAM_LINK, "$1") : trimmed
  if (text === "") return invalid(input, "it is empty")
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text)
  const isIpv6 = bracketed !== null || text.indexOf(":") !== text.lastIndexOf(":")
  const [hostText = "", portText] = bracketed?.slice(1) ?? (isIpv6 ? [text] : text.split(":"))
  const host = isIpv6 ? parseIpv6(hostText) : parseHost(hostText)
  if (host === undefined) {
    return invalid(
      input,
      isIpv6 ? "no IPv6 address looks like that" : "the host is neither a name nor a numeric address"
    )
  }
  if (portText === undefined) return Result.succeed({ ...host, port: defaultPort })
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : 0
  return port < 1 || port > 65_535
    ? invalid(input, "the port must be a number from 1 to 65535")
    : Result.succeed({ ...host, port })
}
