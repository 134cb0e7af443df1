/** `sourcewire servers-at`: lists the servers at an address that are registered with Steam. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const serversAt = command({
  group: "Find",
  description: "List the servers at an IP address that are registered with Steam; requires no key",
  examples: {
    "sourcewire servers-at 192.0.2.7": "List the game servers of a host",
    "sourcewire servers-at 192.0.2.7 --json | jq -r .address": "Print their addresses only"
  },
  flags,
  load: async () => (await import("./runServersAt.ts")).runServersAt
})
