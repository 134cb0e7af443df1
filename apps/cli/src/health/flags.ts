/** The flags of `sourcewire health`. */
import * as options from "../options.ts"

const { encoding, game, json, retries, timeout, trace } = options.gameQueryFlags

export const flags = {
  address: options.argument("address", options.ADDRESS),
  json,
  startGrace: options.optionalSeconds(
    "Report a server that has never replied as starting (exit code 4) until this time after the first check"
  ),
  maxAge: options.optionalSeconds(
    "Report a server without a reply as healthy while its last reply is at most this old"
  ),
  minPlayers: options.optionalCount("Minimum number of players, without bots"),
  map: options.text("MAP", "Required map; * matches any text"),
  state: options.text("FILE", "State file for --start-grace and --max-age", {
    defaultText: "a file in the temporary directory"
  }),
  timeout,
  retries,
  encoding,
  game,
  trace
}

export type HealthSettings = options.Settings<typeof flags>
