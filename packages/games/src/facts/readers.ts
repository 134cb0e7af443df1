/** What reads the answers of games, by the names that records use. */
import * as bohemia from "./bohemia.ts"
import type { Reader } from "./declaration.ts"
import * as shooters from "./shooters.ts"
import * as survival from "./survival.ts"
import * as valve from "./valve.ts"

const all = { ...bohemia, ...shooters, ...survival, ...valve }

/** Every reader by the name that records use. */
export const readers: Readonly<Record<ReaderName, Reader>> = all

/** The name of a reader. */
export type ReaderName = keyof typeof all
