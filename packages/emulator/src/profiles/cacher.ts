/**
 * The profile of a query cache in front of a game server, as operators run them (SourceEngineQueryCacher).
 *
 * @module
 */
import type { Profile } from "@sourcewire/server"
import type { ProfileOptions } from "./options.ts"
import { css } from "./source.ts"

/** A cache: INFO and PLAYER of a Source game against a challenge, which soon expires; silence in place of a second one. */
export const cacher = (options: ProfileOptions = {}): Profile => {
  const { info, oversize, players } = css(options)
  return {
    name: "cacher",
    description: "A query cache in front of a game: no rules, no ping, and silence to a challenge that is wrong or old",
    ...(info === undefined ? {} : { info }),
    ...(players === undefined ? {} : { players }),
    challenge: { lifetimeMs: 650, onWrong: "silence" },
    oversize
  }
}
