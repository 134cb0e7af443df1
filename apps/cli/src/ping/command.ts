/** `sourcewire ping`: round trips, by A2A_PING or A2S_INFO. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const flags = {
  ...options.query,
  retries: options.count(0, "How often to ask again before a ping counts as lost", { least: 0 }),
  count: options.count(4, "How many times to ping each server; 0 for no end", { least: 0, alias: "c" }),
  interval: options.count(1000, "Milliseconds from one ping to the next", { least: 0 }),
  via: options.oneOf<"auto" | "ping" | "info">(
    ["auto", "ping", "info"],
    "auto",
    "A2A_PING, which newer servers ignore, or A2S_INFO; auto finds out which is answered"
  )
}

export type PingSettings = options.Settings<typeof flags>

export const ping = command({
  description: "Measure round trips to servers, and how many get lost",
  examples: {
    "sourcewire ping 127.0.0.1:27015": "Four pings, a second apart",
    "sourcewire ping --count 0 192.0.2.7 192.0.2.8:27016":
      "Until q or Ctrl-C: loss and times of both as they change, on a terminal",
    "sourcewire ping --count 100 --interval 50 --json 127.0.0.1:27015": "A hundred, quickly"
  },
  flags,
  load: async () => (await import("./runPing.ts")).runPing
})
