/** Runs all comparisons with programs of other authors, and creates the page of results. */
import { compareMasters } from "./compareMasters.ts"
import { compareQueries } from "./compareQueries.ts"
import { compareRcon } from "./compareRcon.ts"
import { compareServers } from "./compareServers.ts"
import { reasons } from "./reasons.ts"
import { page } from "./report.ts"

/** Returns the text of `docs/interop.md`. */
export const run = async (): Promise<string> => {
  const queries = await compareQueries(reasons)
  const consoles = await compareRcon(reasons)
  const masters = await compareMasters(reasons)
  return page([...queries, ...consoles, ...masters], await compareServers(reasons))
}
