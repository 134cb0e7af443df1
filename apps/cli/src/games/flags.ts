/** The flags of `sourcewire games`. */
import * as options from "../options.ts"

export const flags = {
  json: options.json,
  text: options.rest("text", "Show only games with this text in their id, name or app id")
}

export type GamesSettings = options.Settings<typeof flags>
