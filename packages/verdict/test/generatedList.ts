/**
 * Observes the servers of a generated list, as a scan does. By default, each server is observed twice, a minute apart. The first
 * observation includes a handshake. Datagrams can be lost, and servers can be slow.
 */
import { type FakeKind, type HonestKind, ServerList, type ServerListOptions } from "@sourcewire/emulator/machines"
import { type Observation, Survey, type Verdict } from "../src/index.ts"

export interface Conditions {
  /** Number of observations of each server, a minute apart (default: 2). */
  readonly observations?: number
  /** Share of datagrams that are lost (default: 0). Each request is sent up to five times. */
  readonly loss?: number
  /** Maximum time between INFO and PLAYER, in ms (default: 200). */
  readonly slowMs?: number
}

const START = Date.UTC(2026, 0, 1, 12)
const MINUTE_MS = 60_000

/** Returns a function that generates numbers in [0, 1). The numbers are the same in every run. */
const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

export function* observations(
  list: ServerList,
  { loss = 0, observations = 2, slowMs = 200 }: Conditions = {}
): Generator<Observation> {
  const next = random(7)
  const isLost = () => next() < (1 - (1 - loss) ** 2) ** 5
  for (let round = 0; round < observations; round++) {
    for (const server of list.servers()) {
      // The second observation of a server begins at least a minute after the last reply of the first observation.
      const jitterMs = round === 0 ? 0 : Math.floor(next() * 2_000)
      const atMs = START + round * (MINUTE_MS + slowMs) + (server.index % 30_000) + jitterMs
      const playersAtMs = atMs + Math.floor(next() * slowMs)
      const isHandshake = round === 0
      if (isLost()) continue
      const redirect = list.redirect(server)
      yield {
        address: server.address,
        atMs,
        playersAtMs,
        info: list.info(server, atMs),
        listed: { ...list.steam(server, START), atMs: START },
        ...(isLost() ? {} : { players: list.players(server, playersAtMs) }),
        ...(isHandshake && !isLost() ? { handshake: { replied: true, redirect } } : {})
      }
    }
  }
}

export interface Outcome {
  readonly servers: number
  readonly contradicted: number
  /** Wrong verdicts: honest servers with a strong finding, and fake servers without a strong finding. */
  readonly wrong: ReadonlyArray<Verdict>
}

/** Counts all servers of each kind, and counts the servers of this kind that have a strong finding. */
export const judge = (options: ServerListOptions, conditions?: Conditions): Map<HonestKind | FakeKind, Outcome> => {
  const list = new ServerList(options)
  const survey = new Survey()
  for (const observation of observations(list, conditions)) survey.add(observation)
  const verdicts = new Map(Array.from(survey.verdicts(), (verdict) => [verdict.address, verdict]))
  const outcomes = new Map<HonestKind | FakeKind, { servers: number; contradicted: number; wrong: Array<Verdict> }>()
  for (const { address, isFake, kind } of list.servers()) {
    const outcome = outcomes.get(kind) ?? { servers: 0, contradicted: 0, wrong: [] }
    outcomes.set(kind, outcome)
    outcome.servers++
    const verdict = verdicts.get(address)
    if (verdict?.contradicted === true) outcome.contradicted++
    if (verdict !== undefined && verdict.contradicted !== isFake) outcome.wrong.push(verdict)
  }
  return outcomes
}
