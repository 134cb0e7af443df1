/** What servers say in these tests. */
import { summary } from "@sourcewire/games"
import { profiles } from "@sourcewire/emulator"
import type { InfoReply } from "@sourcewire/protocol"
import type { LastAnswer } from "../src/watch/Watched.ts"

/** A profile with everything. */
export const css = profiles.css()

/** INFO of a server. */
export const info = css.info as InfoReply

/** An answer as it is remembered. */
export const lastAnswer = (at: number): LastAnswer => ({
  at,
  rttMs: 12.345,
  rttAmbiguous: false,
  answer: { info },
  summary: summary("192.0.2.1:27015", { info })
})
