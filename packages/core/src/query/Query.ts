/**
 * The kinds of queries as data: for each kind, the requests that start the query and the replies that end it. `QueryExchange` runs queries
 * of any kind. The folder `kinds/` contains the declaration of each kind.
 */
import { info } from "./kinds/info.ts"
import { players, rules } from "./kinds/lists.ts"
import { anyPing, challenge } from "./kinds/signs.ts"

export { info } from "./kinds/info.ts"
export { players, playersAfter, rules } from "./kinds/lists.ts"
export { anyPing, challenge, infoPing, ping } from "./kinds/signs.ts"
export type { Alternate, Query } from "./kinds/kind.ts"
export type { Pong } from "./kinds/signs.ts"

/** All kinds by name. */
export const QUERIES = { info, players, rules, challenge, ping: anyPing }
