/**
 * Evaluates the queries that servers received from a fleet: counts servers that were queried twice in a round, and finds the longest time
 * in which a server or a slice was not queried.
 */
import { parseAddress } from "@sourcewire/core"
import * as Result from "effect/Result"
import { choosePhase } from "../../../packages/monitor/src/schedule/rhythm.ts"
import { findSlice } from "../../../packages/monitor/src/store/slices.ts"
import type { Asked } from "./fleet.ts"

export const sliceOfAddress = (address: string): number => findSlice(Result.getOrThrow(parseAddress(address)))

/**
 * The times at which a server was queried, without retransmissions. If a server receives two requests from the same source port within
 * half an interval, the second request is treated as a retransmission.
 */
const withoutRetransmissions = (asked: ReadonlyArray<Asked>, intervalMs: number): ReadonlyArray<number> => {
  const began = new Map<number, number>()
  return asked
    .toSorted((a, b) => a[1] - b[1])
    .flatMap(([, at, by]) => {
      if (at - (began.get(by) ?? Number.NEGATIVE_INFINITY) < intervalMs / 2) return []
      began.set(by, at)
      return [at]
    })
}

/** The results of the evaluation of a period. */
export interface Rounds {
  /** Number of queries that the servers received in the period. */
  readonly questions: number
  /** Number of servers for which at least one round contains more queries than there are locations. */
  readonly twice: number
  /** The longest pause of any slice: the time in which no server of this slice was queried. Slices without servers are ignored. */
  readonly slicePauseMs: number
  /**
   * The longest pause of any server: the time in which this server was not queried. A pause can also begin at the start of the evaluated
   * period, or end at the end of this period.
   */
  readonly serverPauseMs: number
}

/** The targets, and the interval at which they are queried. */
interface Watching {
  readonly targets: ReadonlyArray<string>
  readonly intervalMs: number
  /** Number of locations that query each target in a round (default: 1). */
  readonly askers?: number
}

/** Evaluates the queries that servers received between `fromMs` and `toMs`. The order of the queries in `asked` does not matter. */
export const analyseRounds = (
  { askers = 1, intervalMs, targets }: Watching,
  asked: ReadonlyArray<Asked>,
  fromMs: number,
  toMs: number
): Rounds => {
  const datagrams = targets.map((): Array<Asked> => [])
  for (const one of asked) if (one[1] >= fromMs && one[1] <= toMs) datagrams[one[0]]!.push(one)
  const byServer = datagrams.map((one) => withoutRetransmissions(one, intervalMs))
  const bySlice = Map.groupBy(targets.keys(), (server) => sliceOfAddress(targets[server]!))
  const pause = (times: ReadonlyArray<number>): number => {
    const all = [fromMs, ...times.toSorted((a, b) => a - b), toMs]
    return Math.max(...all.slice(1).map((at, i) => at - all[i]!))
  }
  const twice = byServer.filter((times, server) => {
    const phase = choosePhase(targets[server]!)
    // For each server, a round begins when the query of this server is due. Therefore a slightly late query still belongs to the round in
    // which it was due.
    const rounds = times.map((at) => Math.floor(at / intervalMs - phase))
    return [...Map.groupBy(rounds, (round) => round).values()].some(({ length }) => length > askers)
  })
  return {
    questions: byServer.reduce((sum, times) => sum + times.length, 0),
    twice: twice.length,
    slicePauseMs: Math.max(...[...bySlice.values()].map((servers) => pause(servers.flatMap((one) => byServer[one]!)))),
    serverPauseMs: Math.max(...byServer.map(pause))
  }
}
