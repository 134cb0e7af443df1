/**
 * Parses all addresses except numeric IPv4 addresses: names, IPv6 addresses, Steam links, and console commands. `ip.ts` parses numeric IPv4
 * addresses.
 */
import { TaggedError } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { isText, shown } from "../edge.ts"
import { isIpv4 } from "./ipv4.ts"
import { canonicalAddress, canonicalIpv6, isLinkLocal } from "./ipv6.ts"

/** A host and a port. */
export interface Address {
  /** A name in lower case, or a numeric address in canonical form, without brackets. */
  readonly host: string
  /** The port, 1–65535. */
  readonly port: number
  /** IP version of a numeric host. Absent for a name, and for a link-local address (`fe80::1%eth0`), which is resolved like a name. */
  readonly family?: 4 | 6
}

/** The text is not an address. The message contains the reason. */
export class InvalidAddress
  extends /* @__PURE__ */ TaggedError("InvalidAddress")<{
    readonly message: string
    /** The given text. */
    readonly input: string
  }> {}

/** Creates the error for an invalid address, with the reason. */
export const invalid = (given: unknown, reason: string) => {
  const input = isText(given) ? given : shown(given)
  return Result.fail(
    new InvalidAddress({
      message: `${shown(input)} is not an address: ${reason}. Write host, host:port, 1.2.3.4:27015 or [::1]:27015.`,
      input
    })
  )
}

// Letters of any script are allowed, because resolvers convert these letters. Underscores are allowed, too: the standard forbids them in
// host names, but they are common on LANs. The first call takes a millisecond, because V8 compiles the Unicode classes of this expression.
// To save this time, do not call this function for numeric addresses.
const isLabel = (text: string): boolean => /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}_])?$/u.test(text)

const MAX_HOST_LENGTH = 253

/** Parses a host; `undefined` if the text is neither a numeric IPv4 address nor a host name. */
const parseHost = (text: string): Omit<Address, "port"> | undefined => {
  const host = text.toLowerCase()
  if (isIpv4(host)) return { host, family: 4 }
  const labels = (host.endsWith(".") ? host.slice(0, -1) : host).split(".")
  if (host.length > MAX_HOST_LENGTH || !labels.every(isLabel)) return undefined
  // A text such as `1.2.3` or `300.1.1.1` is a valid name. Nevertheless it is rejected, because it is almost certainly a mistyped address.
  return /^\d+$/.test(labels.at(-1)!) ? undefined : { host }
}

/**
 * Parses an IPv6 address. For a link-local address, `family` is absent. Therefore the address is resolved like a name. This is necessary,
 * because only this host's resolver knows the network interfaces.
 */
const parseIpv6 = (text: string): Omit<Address, "port"> | undefined => {
  const host = canonicalIpv6(text) && canonicalAddress(text)
  if (host === undefined) return undefined
  if (isLinkLocal(host)) return { host }
  return { host, family: host.includes(":") ? 6 : 4 }
}

/** A Steam link to a server, as in `steam://connect/192.0.2.1:27015`. A password after the address is ignored. */
const STEAM_CONNECT = /^steam:\/\/connect\/([^/]*)(?:\/.*)?$/i

/** A link that starts a game with arguments, as in `steam://run/440//+connect%20192.0.2.1:27015`. */
const STEAM_RUN = /^steam:\/\/run(?:gameid)?\/\d+\/[^/]*\/(.*)$/i

/**
 * A command of a game's console, as in `connect 192.0.2.1:27015; password x`. The command can be the whole text, or one of the arguments in
 * a link.
 */
const COMMAND = /(?:^|[+;\s])connect[\s+]+"?([^\s;"+/]+)/i

/** Finds the address in a link or console command. A text that is neither of these is returned unchanged. */
const findAddress = (text: string): string => {
  const link = STEAM_CONNECT.exec(text)
  if (link !== null) return link[1]!
  const run = STEAM_RUN.exec(text)?.[1]?.replaceAll("%20", " ")
  const command = run === undefined && !/^(?:password\s[^;]*;\s*)?connect\s/i.test(text) ? undefined : (run ?? text)
  return command === undefined ? text : (COMMAND.exec(command)?.[1] ?? text)
}

const SCHEME = /^([a-z][a-z0-9+.-]*:\/\/)/i

/** See `parse` of `Address.ts`. */
export const parseText = (input: string, defaultPort: number): Result.Result<Address, InvalidAddress> => {
  const trimmed = input.trim()
  const text = /[\s/]/.test(trimmed) ? findAddress(trimmed) : trimmed
  if (text === "") return invalid(input, "it is empty")
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme !== undefined) {
    const reason =
      scheme === "steam://" ? "the link does not contain a server's address" : `the scheme ${scheme} is not supported`
    return invalid(input, reason)
  }
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text)
  const isIpv6 = bracketed !== null || text.indexOf(":") !== text.lastIndexOf(":")
  const [hostText = "", portText] = bracketed?.slice(1) ?? (isIpv6 ? [text] : text.split(":"))
  const host = isIpv6 ? parseIpv6(hostText) : parseHost(hostText)
  if (host === undefined) {
    return invalid(
      input,
      isIpv6 ? "it is not a valid IPv6 address" : "the host is neither a name nor a numeric address"
    )
  }
  if (portText === undefined) return Result.succeed({ ...host, port: defaultPort })
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : 0
  return port < 1 || port > 65_535
    ? invalid(input, "the port must be a number from 1 to 65535")
    : Result.succeed({ ...host, port })
}
