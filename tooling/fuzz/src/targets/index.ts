import type { Target } from "../Target.ts"
import * as captures from "./captures.ts"
import * as conversations from "./conversations.ts"
import * as datagrams from "./datagrams.ts"
import * as games from "./games.ts"
import * as queries from "./queries.ts"
import * as rconClients from "./rconClients.ts"
import * as servers from "./servers.ts"
import * as splits from "./splits.ts"

export const targets: ReadonlyArray<Target> = [
  datagrams,
  splits,
  queries,
  conversations,
  rconClients,
  servers,
  captures,
  games
].flatMap((module) => Object.values(module))
