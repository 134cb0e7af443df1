/** `sourcewire serve --master`: runs a master server for the emulated game servers. */
import { formatAddress } from "@sourcewire/core"
import { makeMaster } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import { UsageError } from "../exitCode.ts"
import { parseValidTargets } from "../query/targets.ts"
import { plural } from "../view/quantities.ts"
import type { ServeSettings } from "./flags.ts"
import type { ServedOne } from "./serveView.ts"

/** The default port of Valve's master servers. */
export const MASTER_PORT = 27_010

const listedIn = Effect.fnUntraced(function* (file: string) {
  const targets = yield* parseValidTargets([], file)
  const other = targets.find(({ address }) => address.family !== 4)
  if (other === undefined) return targets.map(({ name }) => ({ address: name }))
  return yield* new UsageError(
    `A master server lists only IPv4 addresses, but ${other.name} is not an IPv4 address. Remove this address from ${file}.`
  )
})

/**
 * Starts a master server if `--master` is present. The master server lists the servers in the file of `--master-list`, and the emulated
 * servers that have an IPv4 address.
 */
export const serveMaster = Effect.fnUntraced(function* (
  settings: ServeSettings,
  servers: ReadonlyArray<{ readonly address: string; readonly port: number }>,
  where: { readonly host: string; readonly port: number }
) {
  const { allowAmplification, master: profile, masterList } = settings
  if (profile === undefined) {
    return masterList === undefined ? undefined : yield* new UsageError("--master-list requires --master.")
  }
  const beside = servers.flatMap(({ address, port }) =>
    address.includes(":") ? [] : [{ address: `${address}:${port}` }]
  )
  const all = [...beside, ...(masterList === undefined ? [] : yield* listedIn(masterList))]
  const master = yield* makeMaster({ ...where, allowAmplification, profile, servers: all })
  const listening = formatAddress({ host: master.address, port: master.port })
  const served: ServedOne = {
    listening,
    named: "master",
    what: `${profile} master`,
    besides: plural(all.length, "server"),
    hint: `sourcewire master ${listening}`,
    counters: master.counters
  }
  return { served, summary: { master: profile, servers: all.length } }
})
