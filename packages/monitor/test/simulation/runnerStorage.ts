/**
 * The engine's table of runners and the engine's locks, stored in the database in memory. This storage behaves like `SqlRunnerStorage` with
 * the advisory locks of a Postgres session. The engine itself is real.
 */
import { PersistenceError } from "effect/cluster/ClusterError"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as Effect from "effect/Effect"
import type { DatabaseServer, LockSession } from "./DatabaseServer.ts"
import type { Link } from "./Link.ts"

/** A runner without a sign of life for this time, in ms, is considered dead. `FleetStatus.ts` defines the same value. */
const EXPIRATION_MS = 6000

/** The storage of one runner. */
export const makeRunnerStorage = (server: DatabaseServer, link: Link): typeof RunnerStorage.RunnerStorage.Service => {
  const held = (session: LockSession, shards: Iterable<string>): Array<string> =>
    [...shards].filter((shard) => server.locks.get(shard) === session)
  const isAlive = ({ seenAt }: { readonly seenAt: number }): boolean => seenAt > server.timing.now() - EXPIRATION_MS
  const heartbeat = (address: string): void => {
    const row = server.runners.get(address)
    if (row !== undefined) row.seenAt = server.timing.now()
  }
  const failing = <A>(effect: Effect.Effect<A, unknown>): Effect.Effect<A, PersistenceError> =>
    Effect.mapError(effect, (cause) => new PersistenceError({ cause }))
  const acquire = (shards: ReadonlyArray<string>) =>
    link.inSession((session) => {
      for (const shard of shards) if (!server.locks.has(shard)) server.locks.set(shard, session)
      return held(session, shards)
    })
  let machines = 0

  return RunnerStorage.makeEncoded({
    getRunners: failing(
      link.once(() =>
        [...server.runners.values()].filter(isAlive).map(({ healthy, runner }) => [runner, healthy] as const)
      )
    ),
    register: (address, runner, healthy) =>
      failing(
        link.once(() => {
          server.runners.set(address, { runner, healthy, seenAt: server.timing.now() })
          return machines++
        })
      ),
    unregister: (address) =>
      failing(
        link.once(() => {
          for (const [name, row] of server.runners) {
            if (name === address || !isAlive(row)) server.runners.delete(name)
          }
        })
      ),
    setRunnerHealth: (address, healthy) =>
      failing(
        link.once(() => {
          const row = server.runners.get(address)
          if (row !== undefined) row.healthy = healthy
        })
      ),
    acquire: (_address, shards) => failing(Effect.retry(acquire(shards), { times: 1 })),
    refresh: (address, shards) =>
      shards.length === 0
        ? failing(
            Effect.as(
              Effect.timeout(
                link.once(() => heartbeat(address)),
                "2 seconds"
              ),
              []
            )
          )
        : failing(
            link.inSession((session) => {
              heartbeat(address)
              return held(session, shards)
            })
          ),
    release: (_address, shard) =>
      failing(
        link.inSession((session) => {
          if (server.locks.get(shard) === session) server.locks.delete(shard)
        })
      ),
    releaseAll: () =>
      failing(
        link.inSession((session) => {
          for (const [shard, holder] of server.locks) if (holder === session) server.locks.delete(shard)
        })
      )
  })
}
