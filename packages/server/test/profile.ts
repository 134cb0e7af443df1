import type { Profile } from "../src/index.ts"

/** The profile of a small Source server. */
export const profile = (): Profile => ({
  name: "small",
  description: "A small server",
  info: {
    _tag: "InfoReply",
    protocol: 17,
    name: "name",
    map: "map",
    folder: "cstrike",
    game: "game",
    appId: 240,
    players: 1,
    maxPlayers: 32,
    bots: 0,
    serverType: "dedicated",
    environment: "linux",
    passwordProtected: false,
    vac: true,
    version: "1"
  },
  oversize: { how: "split", maxBytes: 1260 }
})
