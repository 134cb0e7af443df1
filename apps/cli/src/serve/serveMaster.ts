/** The master server beside emulated game servers: `sourcewire serve --master`. */
import { formatAddress } from "@sourcewire/core"
import { makeMaster } from "@sourcewire/server"
import * as Effect from "effect/Effect"
import { UsageError } from "../exitCode.ts"
import { targetsOf } from "../query/targets.ts"
import { plural } from "../view/quantities.ts"
import type { ServeSettings } from "./command.ts"
import type { ServedOne } from "./serveView.ts"

/** Where masters of Valve's kind listen. */
export const MASTER_PORT = 27_010

const listedIn = Effect.fnUntraced(function* (file: string) {
  const targets = yield* targetsOf([], file)
  const other = targets.find(({ address }) => address.family !== 4)
  if (other === undefined) return targets.map(({ name }) => ({ address: name }))
  return yield* new UsageError(`Masters list IPv4 addresses and nothing else, so not ${other.name}.`)
})

/** Starts a master that lists these servers and those of `--master-list`; nothing without `--master`. */
export const serveMaster = Effect.fnUntraced(function* (
  settings: ServeSettings,
  servers: ReadonlyArray<{ readonly address: string; readonly port: number }>,
  where: { readonly host: string; readonly port: number }
) {
  const { allowAmplification, master: profile, masterList } = settings
  if (profile === undefined) {
    return masterList === undefined ? undefined : yield* new UsageError("--master-list goes with --master.")
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
    hint: `sourcewire master --server ${listening}`,
    counters: master.counters
  }
  return { served, told: { listening, master: profile, servers: all.length } }
})
