/** The flags of `sourcewire log`. */
import * as options from "../options.ts"

export const flags = {
  json: options.json,
  http: options.on("Receive the log over HTTP (logaddress_add_http), for Counter-Strike 2"),
  tokens: options.texts("TOKEN", "With --http: accept only the server with this X-Server-Unique-Token", {
    name: "token"
  }),
  bind: options.textOr(
    "HOST[:PORT]",
    "127.0.0.1:27500",
    "Numeric address and UDP port (with --http: TCP port) to listen on; port 0: any free port. Addresses other than loopback are reachable from other hosts"
  ),
  from: options.texts("HOST[:PORT]", "Accept log lines from this server only"),
  secretFile: options.text(
    "FILE",
    "File with the servers' sv_logsecret, or with --http, the secret path of the URL. Lines with another secret are dropped"
  ),
  count: options.count(0, "Stop after this many lines; 0: run until stopped", { least: 0, alias: "c" }),
  encoding: options.encoding,
  showPasswords: options.on("Show RCON passwords in the log lines of GoldSource and Xash3D (default: masked)")
}

export type LogSettings = options.Settings<typeof flags>
