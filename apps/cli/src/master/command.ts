/** `sourcewire master`: lists the servers of a master server. */
import { command } from "../commandLine/command.ts"
import { flags } from "./flags.ts"

export const master = command({
  group: "Find",
  description: "List the servers that are registered with a master server",
  examples: {
    "sourcewire master 127.0.0.1:27010 --game valve --filter clver=0.21":
      "Print one address per line; Xash3D masters require the engine's version (clver)",
    "sourcewire master 127.0.0.1:27010 --filter secure=1 | sourcewire info --file -": "Query the listed servers"
  },
  flags,
  load: async () => (await import("./runMaster.ts")).runMaster
})
