/** The flags of `sourcewire handshake`. */
import { HANDSHAKE_FORMS } from "@sourcewire/core/query"
import * as options from "../options.ts"

export const flags = {
  ...options.query,
  form: options.optionalChoice(
    HANDSHAKE_FORMS,
    "Format of the request: Source 2013 and its relays, CS:GO, or GoldSource",
    {
      defaultText: "each in turn"
    }
  )
}

export type HandshakeSettings = options.Settings<typeof flags>
