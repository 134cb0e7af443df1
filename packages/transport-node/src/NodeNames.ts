/** Name lookup over `node:dns`, which Node, Deno and Bun provide. The lookup uses the system's resolver, including the hosts file. */
import { Unresolved } from "@sourcewire/core"
import { type Family, type ResolvedAddress } from "@sourcewire/core/transport"
import { canonicalAddress } from "@sourcewire/core/address"
import * as Effect from "effect/Effect"

/** Maximum number of characters of a name in an error message. A longer name is invalid, and is truncated in the message. */
const LONGEST_SHOWN = 255

const FAMILIES: ReadonlySet<unknown> = new Set([4, 6, undefined])

/** The error code if no name server replied. After this error, it is unknown whether the name has an address. */
const NO_ANSWER = "EAI_AGAIN"

const unresolved = (host: string, family: Family | undefined, code = "none found"): Unresolved => {
  const name = host.slice(0, LONGEST_SHOWN)
  const kind = family === undefined ? "" : `IPv${family} `
  return code === NO_ANSWER
    ? new Unresolved({
        message: `No name server responded for ${name} (${code}). Check this host's network connection.`,
        host,
        local: true
      })
    : new Unresolved({ message: `The name ${name} has no ${kind}address (${code}). Check its spelling.`, host })
}

/** Returns the name and the number of each network interface that has an IPv6 link-local address. */
const linkInterfaces = (): ReadonlyArray<readonly [name: string, number: number]> =>
  Object.entries(process.getBuiltinModule("node:os").networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.flatMap((one) => (one.family === "IPv6" && one.scopeid !== 0 ? [[name, one.scopeid] as const] : []))
  )

/**
 * Converts the zone of a link-local address to the form that this system uses for the addresses of senders: the interface's number on
 * Windows, and the interface's name on other systems.
 */
const onLink = (host: string): Effect.Effect<ResolvedAddress, Unresolved> => {
  const [address, zone] = host.split("%", 2)
  // Deno lists interfaces only with `--allow-sys`, but accepts a zone in both forms (number and name).
  if (zone !== undefined && "Deno" in globalThis) return Effect.succeed({ address: host, family: 6 })
  const interfaces = "Deno" in globalThis ? [] : linkInterfaces()
  const found = interfaces.find(([name, number]) => zone === name || zone === String(number))
  if (found !== undefined) {
    return Effect.succeed({ address: `${address}%${found[process.platform === "win32" ? 1 : 0]}`, family: 6 })
  }
  const names = interfaces.map(([name]) => name)
  const problem =
    zone === undefined
      ? `${address} is a link-local address, which needs a network interface of this host`
      : `This host has no network interface ${zone} with a link-local address`
  const known = names.length === 0 ? "" : ` (available: ${names.join(", ")})`
  return Effect.fail(
    new Unresolved({ message: `${problem}${known}. Write it as in ${address}%${names[0] ?? "eth0"}.`, host })
  )
}

/**
 * Finds the address of a host. This function is the `resolve` of the `Datagrams` services. A numeric address is returned in canonical form,
 * without a lookup. If a name has several addresses, IPv4 is preferred.
 */
export const resolve = (host: string, family?: Family): Effect.Effect<ResolvedAddress, Unresolved> => {
  const numeric = canonicalAddress(host)
  if (numeric !== undefined && /^fe[89ab].:/.test(numeric)) return onLink(numeric)
  if (numeric !== undefined) return Effect.succeed({ address: numeric, family: numeric.includes(":") ? 6 : 4 })
  if (typeof host !== "string" || host.includes("\0") || !FAMILIES.has(family)) {
    const message = "A name must be a text without NUL, and the address family must be 4 or 6."
    return Effect.fail(new Unresolved({ message, host: typeof host === "string" ? host : "" }))
  }
  return Effect.callback((resume) => {
    // `node:dns` is loaded when the first name is looked up, because most programs query servers by address.
    process.getBuiltinModule("node:dns").lookup(host, { all: true, family: family ?? 0 }, (error, found) => {
      // Game servers rarely listen on IPv6, but the first address of `localhost` is often ::1. Therefore IPv4 is preferred.
      const best = found?.find((one) => one.family === 4) ?? found?.[0]
      const address = best && (canonicalAddress(best.address) ?? best.address)
      resume(
        error === null && address !== undefined
          ? Effect.succeed({ address, family: address.includes(":") ? 6 : 4 })
          : Effect.fail(unresolved(host, family, error?.code))
      )
    })
  })
}
