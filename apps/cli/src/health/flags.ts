/** The flags of `sourcewire health`. */
import * as options from "../options.ts"

const { encoding, game, json, retries, timeout, trace } = options.queryOfGame

export const flags = {
  address: options.argument("address", options.ADDRESS),
  json,
  startGrace: options.optionalSeconds(
    "Exit with 4 (starting) for this long after the first check, until the server has replied once"
  ),
  maxAge: options.optionalSeconds("Healthy without a reply if the last one is at most this old"),
  minPlayers: options.optionalCount("Require this many players; bots do not count"),
  map: options.text("MAP", "Require this map; * stands for any text"),
  state: options.text("FILE", "File for the time of the last reply; --start-grace and --max-age require one", {
    defaultText: "a file in the directory for temporary files"
  }),
  timeout,
  retries,
  encoding,
  game,
  trace
}

export type HealthSettings = options.Settings<typeof flags>
