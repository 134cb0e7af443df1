/** Starts servers of a generated list on loopback addresses. */
import { type Faults, startServer } from "@sourcewire/emulator"
import { type ListedServer, ServerList } from "@sourcewire/emulator/machines"
import { layer } from "@sourcewire/transport-node/effect"
import { objects } from "./runCli.ts"

const list = new ServerList({ seed: 5, honest: 200, fakesOfEachKind: 50 })

/**
 * Emulates some servers of the list. `wanted` contains the number of servers of each kind, and `faults` contains the faults that every
 * server injects. The first server listens on `127.78.NET.1`, the second server on `127.78.NET.2`, and so on.
 */
export const startListed = async (
  net: number,
  wanted: Partial<Record<ListedServer["kind"], number>>,
  faults: Faults = {}
) => {
  const chosen = Object.entries(wanted).flatMap(([kind, count]) =>
    [...list.servers()].filter((server) => server.kind === kind).slice(0, count)
  )
  const servers = await Promise.all(
    chosen.map(async (server, i) => {
      const host = `127.78.${net}.${i + 1}`
      const { handshake, ...profile } = list.profile(server)
      const redirect = handshake?.redirect?.replace(server.host, host)
      const running = await startServer({
        transport: layer,
        profile: { ...profile, handshake: redirect === undefined ? {} : { redirect } },
        host,
        faults
      })
      return { running, kind: server.kind, address: `${running.address}:${running.port}` }
    })
  )
  return {
    addresses: servers.map(({ address }) => address),
    kindOf: (address: unknown) => servers.find((server) => server.address === address)!.kind,
    requests: () => servers.reduce((sum, { running }) => sum + running.counters().requests, 0),
    [Symbol.asyncDispose]: async () => {
      for (const { running } of servers) await running[Symbol.asyncDispose]()
    }
  }
}

interface Finding {
  readonly kind: string
  readonly strength: string
}

/** For each strong finding, returns the kind of the server and the kind of the finding. */
export const strongFindings = (stdout: string, kindOf: (address: unknown) => string): ReadonlyArray<string> =>
  objects(stdout)
    .flatMap(({ address, verdict }) =>
      (verdict as { readonly findings: ReadonlyArray<Finding> }).findings
        .filter(({ strength }) => strength === "strong")
        .map(({ kind }) => `${kindOf(address)}: ${kind}`)
    )
    .toSorted()
