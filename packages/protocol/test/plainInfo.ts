/** An INFO reply without optional fields. */
export const info = {
  _tag: "InfoReply",
  protocol: 17,
  name: "n",
  map: "m",
  folder: "f",
  game: "g",
  appId: 10,
  players: 1,
  maxPlayers: 2,
  bots: 0,
  serverType: "dedicated",
  environment: "linux",
  passwordProtected: false,
  vac: true,
  version: "1"
} as const
