/** `sourcewire demo`, which `npm start` runs. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

export const demo = command({
  group: "Develop",
  description: "Query an emulated server on this host, or the given addresses",
  examples: {
    "sourcewire demo": "Start an emulated server and query it over UDP",
    "sourcewire demo 127.0.0.1:27015": "Query a server, like `sourcewire query`"
  },
  flags: options.query,
  load: async () => (await import("./runDemo.ts")).runDemo
})
