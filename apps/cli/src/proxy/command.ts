/** `sourcewire proxy`: replies to queries from a cache, in place of game servers. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const proxy = command({
  group: "Run",
  description: "Protect game servers from query floods with a caching proxy",
  examples: {
    "sourcewire proxy --upstream 192.0.2.10:27015 --bind 127.0.0.1:27016":
      "Query the game server every two seconds, and reply to clients on 127.0.0.1:27016",
    "sourcewire proxy --config proxy.json --metrics 127.0.0.1:9150 --cache-file proxy.cache":
      "Run as a service: servers from a file, metrics, and a cache that survives restarts"
  },
  flags,
  isDaemon: true,
  load: async () => (await import("./runProxy.ts")).runProxy
})
