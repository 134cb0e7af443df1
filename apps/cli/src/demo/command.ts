/** `sourcewire demo`: what `npm start` runs. */
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

export const demo = command({
  description: "Start an emulated server and query it over UDP; with addresses, query those",
  examples: {
    "sourcewire demo": "Nothing but this computer is needed",
    "sourcewire demo 127.0.0.1:27015": "The same as query"
  },
  flags: options.query,
  load: async () => (await import("./runDemo.ts")).runDemo
})
