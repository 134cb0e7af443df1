/** The flags of `sourcewire servers-at`. */
import * as options from "../options.ts"

export const flags = {
  addresses: options.rest("ip", "IPv4 address, or address and port, as in 192.0.2.7 or 192.0.2.7:27015"),
  json: options.json,
  timeout: options.milliseconds(10_000, "Time limit per address")
}
