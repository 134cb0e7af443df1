/**
 * The kinds of queries as data: for each, the datagrams that open it and the replies that end it. `QueryExchange` decides what happens when.
 * The kinds themselves are in `kinds/`.
 */
import { info } from "./kinds/info.ts"
import { players, rules } from "./kinds/lists.ts"
import { anyPing, challenge } from "./kinds/signs.ts"

export { info } from "./kinds/info.ts"
export { players, playersAfter, rules } from "./kinds/lists.ts"
export { anyPing, challenge, infoPing, ping } from "./kinds/signs.ts"
export type { Alternate, Query } from "./kinds/kind.ts"
export type { Pong } from "./kinds/signs.ts"

/** Each kind by its name. */
export const QUERIES = { info, players, rules, challenge, ping: anyPing }
