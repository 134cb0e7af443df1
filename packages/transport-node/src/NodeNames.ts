/**
 * Name lookup over `node:dns`, which asks the system (hosts file included) and which Node, Deno and Bun all provide.
 */
import { Unresolved } from "@sourcewire/core"
import type { Family } from "@sourcewire/core/transport"
import { canonicalAddress, type ResolvedAddress } from "@sourcewire/core/machines"
import * as Effect from "effect/Effect"

/** Characters of a name that a message shows: no real one is longer. */
const LONGEST_SHOWN = 255

const FAMILIES: ReadonlySet<unknown> = new Set([4, 6, undefined])

/** What the system says where no name server has answered; which name is asked for makes no difference. */
const NO_ANSWER = "EAI_AGAIN"

const unresolved = (host: string, family: Family | undefined, code = "none found"): Unresolved => {
  const name = host.slice(0, LONGEST_SHOWN)
  const kind = family === undefined ? "" : `IPv${family} `
  return code === NO_ANSWER
    ? new Unresolved({
        message: `No name server answered what the address of ${name} is (${code}).`,
        host,
        local: true
      })
    : new Unresolved({ message: `The name ${name} has no ${kind}address (${code}): check its spelling.`, host })
}

/** The `resolve` of a `Datagrams` service: numeric addresses stand for themselves, of a name's addresses IPv4 goes first. */
export const resolve = (host: string, family?: Family): Effect.Effect<ResolvedAddress, Unresolved> => {
  const numeric = canonicalAddress(host)
  if (numeric !== undefined) return Effect.succeed({ address: numeric, family: numeric.includes(":") ? 6 : 4 })
  if (typeof host !== "string" || host.includes("\0") || !FAMILIES.has(family)) {
    const message = "A name is a text without NUL, and its family 4 or 6."
    return Effect.fail(new Unresolved({ message, host: typeof host === "string" ? host : "" }))
  }
  return Effect.callback((resume) => {
    // Loaded here, since most servers are asked by their address.
    process.getBuiltinModule("node:dns").lookup(host, { all: true, family: family ?? 0 }, (error, found) => {
      // Game servers listen on IPv4 far more often, and `localhost` comes as ::1 first.
      const best = found?.find((one) => one.family === 4) ?? found?.[0]
      resume(
        error === null && best !== undefined
          ? Effect.succeed({
              address: canonicalAddress(best.address) ?? best.address,
              family: best.family === 6 ? 6 : 4
            })
          : Effect.fail(unresolved(host, family, error?.code))
      )
    })
  })
}
