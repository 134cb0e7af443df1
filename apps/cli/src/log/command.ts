/** `sourcewire log`: receives log lines of servers. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const log = command({
  group: "Run",
  description: "Receive the log lines of servers (logaddress_add, logaddress_add_http; logaddress on Xash3D)",
  examples: {
    "sourcewire log": "Listen on 127.0.0.1:27500, and print the command for the server",
    "sourcewire log --http": "Receive the log of Counter-Strike 2, which sends it over HTTP only",
    "sourcewire log --bind 0.0.0.0:27500 --from 192.0.2.7 --secret-file secret.txt --json":
      "Receive lines from another host, with a secret, as JSON"
  },
  flags,
  isDaemon: true,
  load: async () => (await import("./runLog.ts")).runLog
})
