/** Every reader by the name that records use. */
import * as bohemia from "./bohemia.ts"
import type { Reader } from "./declaration.ts"
import * as shooters from "./shooters.ts"
import * as survival from "./survival.ts"
import * as valve from "./valve.ts"

/** Every reader by the name that records use. */
export const readers = {
  ...bohemia,
  ...shooters,
  ...survival,
  ...valve
} satisfies Readonly<Record<string, Reader>>

/** The name of a reader. */
export type ReaderName = keyof typeof readers
