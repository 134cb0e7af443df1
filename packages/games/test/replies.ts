/** Replies of a server, for tests. */
import type { InfoReply, RulesReply } from "@sourcewire/protocol"

/** Returns a reply to INFO with usual values. The values in `more` replace the usual values. */
export const info = (more: Partial<InfoReply> = {}): InfoReply => ({
  _tag: "InfoReply",
  protocol: 17,
  name: "A server",
  map: "de_dust2",
  folder: "cstrike",
  game: "Counter-Strike",
  appId: 240,
  players: 5,
  maxPlayers: 32,
  bots: 2,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: true,
  version: "1.0",
  ...more
})

/** Returns a reply to RULES with these names and values. */
export const makeRules = (values: Readonly<Record<string, string>>): RulesReply => {
  const rules = Object.entries(values).map(([name, value]) => ({ name, value }))
  return { _tag: "RulesReply", announced: rules.length, truncated: false, rules }
}
