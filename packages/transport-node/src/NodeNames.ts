/**
 * Name lookup over `node:dns`, which asks the system (hosts file included) and which Node, Deno and Bun all provide.
 *
 * @module
 */
import type { Family, ResolvedAddress } from "@sourcewire/core"
import { Address, Unresolved } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as dns from "node:dns"

/**
 * The `resolve` of a `Datagrams` service: numeric addresses stand for themselves, of a name's addresses IPv4 goes first.
 *
 * @example
 * import { resolve } from "@sourcewire/transport-node/names"
 * import * as Effect from "effect/Effect"
 * console.log(await Effect.runPromise(resolve("localhost")))
 */
export const resolve = (host: string, family?: Family): Effect.Effect<ResolvedAddress, Unresolved> => {
  const numeric = Address.canonicalAddress(host)
  if (numeric !== undefined) return Effect.succeed({ address: numeric, family: numeric.includes(":") ? 6 : 4 })
  return Effect.callback((resume) => {
    dns.lookup(host, { all: true, family: family ?? 0 }, (error, found) => {
      // Game servers listen on IPv4 far more often, and `localhost` comes as ::1 first.
      const best = found?.find((one) => one.family === 4) ?? found?.[0]
      resume(
        error === null && best !== undefined
          ? Effect.succeed({
              address: Address.canonicalAddress(best.address) ?? best.address,
              family: best.family === 6 ? 6 : 4
            })
          : Effect.fail(
              new Unresolved({
                message: `The name ${host} has no ${family === undefined ? "" : `IPv${family} `}address (${error?.code ?? "none found"}): check its spelling and your name server.`,
                host
              })
            )
      )
    })
  })
}
