/** What reads the answers of games, by the names that records use. */
import * as bohemia from "./bohemia.ts"
import * as shooters from "./shooters.ts"
import * as survival from "./survival.ts"
import * as valve from "./valve.ts"

/** Every reader by its name. */
export const readers = { ...bohemia, ...shooters, ...survival, ...valve }

/** The name of a reader. */
export type ReaderName = keyof typeof readers
