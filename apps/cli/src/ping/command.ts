/** `sourcewire ping`: measures round-trip times with A2A_PING or A2S_INFO. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const ping = command({
  group: "Query",
  description: "Measure the round-trip time and packet loss of servers",
  examples: {
    "sourcewire ping 127.0.0.1:27015": "Send four pings, a second apart",
    "sourcewire ping --count 0 192.0.2.7 192.0.2.8:27016":
      "Ping two servers until q or Ctrl-C, in a live table on a terminal",
    "sourcewire ping --count 100 --interval 50 --json 127.0.0.1:27015": "Send a hundred pings, one every 50 ms"
  },
  flags,
  load: async () => (await import("./runPing.ts")).runPing
})
