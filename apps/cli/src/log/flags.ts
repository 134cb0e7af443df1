/** The flags of `sourcewire log`. */
import * as options from "../options.ts"

export const flags = {
  json: options.json,
  http: options.on("Receive posts over HTTP (logaddress_add_http), as Counter-Strike 2 sends them"),
  tokens: options.texts("TOKEN", "With --http: accept this server only, by its X-Server-Unique-Token", {
    name: "token"
  }),
  bind: options.textOr(
    "HOST[:PORT]",
    "127.0.0.1:27500",
    "Numeric address and UDP port (TCP with --http) to listen on; port 0: any free port. Addresses other than loopback are reachable from other hosts"
  ),
  from: options.texts("HOST[:PORT]", "Accept log lines from this server only"),
  secretFile: options.text(
    "FILE",
    "File with the servers' sv_logsecret, with --http the path of the URL; lines with another are dropped"
  ),
  count: options.count(0, "Stop after this many lines; 0: run until stopped", { least: 0, alias: "c" }),
  encoding: options.encoding,
  showPasswords: options.on("Show RCON passwords in the log lines of GoldSource and Xash3D, which are masked otherwise")
}

export type LogSettings = options.Settings<typeof flags>
