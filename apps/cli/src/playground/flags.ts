/** The flags of `sourcewire playground`. */
import * as options from "../options.ts"

export const flags = {
  json: options.json,
  bind: options.textOr(
    "HOST[:PORT]",
    "127.0.0.1",
    "Numeric address and TCP port to listen on; port 0: any free port. Addresses other than loopback require --allow"
  ),
  port: options.optionalCount("TCP port to listen on; 0: any free port", { least: 0, most: 65_535, alias: "p" }),
  allow: options.texts("RANGE|HOST[:PORT]", "Addresses that the page may query", {
    defaultText: "all, if --bind is loopback"
  }),
  rcon: options.on("Offer an RCON console on the page"),
  page: options.text("DIRECTORY", "Directory of the built page", { defaultText: "the page of this installation" }),
  open: options.on("Do not open the browser", { otherwise: true, negated: false })
}

export type PlaygroundSettings = options.Settings<typeof flags>
