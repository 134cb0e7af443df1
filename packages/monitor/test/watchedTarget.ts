/** Targets for tests of pages and metrics. */
import { summary } from "@sourcewire/games"
import { makeGroup } from "../src/config/Config.ts"
import { type Known, type LastAnswer, unknown, Watched } from "../src/watch/Watched.ts"
import { info } from "./answers.ts"

export const ADDRESS = "192.0.2.1:27015"

/** The values that a test sets for a target. All other values are those of a target that was never queried. */
export interface Given extends Partial<Omit<Known, "last">> {
  /** Fields of the last INFO reply that a test sets. If `info` is absent, the target has never replied. */
  readonly info?: Partial<typeof info> | undefined
  /** Time and round-trip time of the last reply. */
  readonly reply?: Partial<Pick<LastAnswer, "at" | "rttMs" | "rttAmbiguous">>
  readonly names?: Readonly<Record<string, string>>
  readonly labels?: Readonly<Record<string, string>>
}

/** A target of the group `eu` at {@link ADDRESS}. */
export const makeWatched = ({ info: own, labels = {}, names = {}, reply, ...known }: Given): Watched => {
  const group = makeGroup({}, "eu", labels, new Map(Object.entries(names)))
  const answer = { info: { ...info, ...own } }
  const last: LastAnswer = {
    at: 0,
    rttMs: 20,
    rttAmbiguous: false,
    ...reply,
    answer,
    summary: summary(ADDRESS, answer)
  }
  const where = { host: "192.0.2.1", port: 27_015 }
  return new Watched(1, ADDRESS, where, group, { ...unknown(), ...known, last: own === undefined ? undefined : last })
}
