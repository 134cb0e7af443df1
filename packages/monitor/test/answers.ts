/** Replies of game servers, and other values that several tests use. */
import { summary } from "@sourcewire/games"
import { profiles } from "@sourcewire/emulator"
import type { InfoReply } from "@sourcewire/protocol"
import type { LastAnswer } from "../src/watch/Watched.ts"

/** The profile of a server with players and rules. */
export const css = profiles.css()

export const info = css.info as InfoReply

/** A stored reply. */
export const lastAnswer = (at: number): LastAnswer => ({
  at,
  rttMs: 12.345,
  rttAmbiguous: false,
  answer: { info },
  summary: summary("192.0.2.1:27015", { info })
})

/** A batch that writes nothing to the store. */
export const emptyBatch = { known: [], changes: [], hours: [], incidents: [], positions: new Map<string, number>() }
