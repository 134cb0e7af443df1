/** What most profiles say of themselves alike. */
import type { InfoReply } from "@sourcewire/protocol"

const USUAL = {
  _tag: "InfoReply",
  protocol: 17,
  bots: 0,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: false
} as const

/** A reply to INFO: of a dedicated server on Linux without bots, password and VAC unless `own` says otherwise. */
export const infoReply = (own: Omit<InfoReply, keyof typeof USUAL> & Partial<InfoReply>): InfoReply => ({
  ...USUAL,
  ...own
})
