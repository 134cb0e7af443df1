/** All games. */
import type { Game } from "../Game.ts"
import { bohemia } from "./bohemia.ts"
import { elsewhere } from "./elsewhere.ts"
import { goldSource } from "./goldSource.ts"
import { others } from "./others.ts"
import { shooters } from "./shooters.ts"
import { source } from "./source.ts"
import { survival } from "./survival.ts"

/** All games, grouped by engine or genre. */
export const games: ReadonlyArray<Game> = [
  ...source,
  ...goldSource,
  ...bohemia,
  ...shooters,
  ...survival,
  ...others,
  ...elsewhere
]
