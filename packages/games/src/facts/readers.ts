/** The readers of keywords and rules. The record of a game refers to a reader by its name. */
import * as bohemia from "./bohemia.ts"
import * as shooters from "./shooters.ts"
import * as survival from "./survival.ts"
import * as valve from "./valve.ts"

export const readers = { ...bohemia, ...shooters, ...survival, ...valve }

export type ReaderName = keyof typeof readers
