/** `sourcewire log`: receives what servers log. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const flags = {
  json: options.json,
  bind: options.textOr(
    "ADDRESS:PORT",
    "127.0.0.1:27500",
    "Numeric address and port to listen on; anything but loopback is open to others; port 0 lets the system choose"
  ),
  from: options.texts("ADDRESS", "Listen to this server alone, host or host:port; may be given again"),
  secretFile: options.text(
    "FILE",
    "File with the servers' sv_logsecret; lines without it, or with another, are dropped"
  ),
  count: options.count(0, "Stop after so many lines; 0 goes on until interrupted", { least: 0 }),
  encoding: options.encoding,
  showPasswords: options.on("Show the RCON passwords that GoldSource and Xash3D log, which are starred out otherwise")
}

export type LogSettings = options.Settings<typeof flags>

export const log = command({
  description: "Receive what servers log (logaddress_add; logaddress on Xash3D)",
  examples: {
    "sourcewire log": "Listen on 127.0.0.1:27500; it says what to tell the server",
    "sourcewire log --bind 0.0.0.0:27500 --from 192.0.2.7 --secret-file secret.txt --json":
      "From another machine, checked, for a program to read"
  },
  flags,
  load: async () => (await import("./runLog.ts")).runLog
})
