/**
 * Every command of the program, in the order in which help lists them. A command is a folder: `command.ts` declares its name, flags, help
 * and examples, and loads what does the work when it runs.
 */
const load = {
  query: async () => (await import("./query/commands.ts")).query,
  info: async () => (await import("./query/commands.ts")).info,
  players: async () => (await import("./query/commands.ts")).players,
  rules: async () => (await import("./query/commands.ts")).rules,
  scan: async () => (await import("./scan/command.ts")).scan,
  ping: async () => (await import("./ping/command.ts")).ping,
  handshake: async () => (await import("./handshake/command.ts")).handshake,
  rcon: async () => (await import("./rcon/command.ts")).rcon,
  master: async () => (await import("./master/command.ts")).master,
  log: async () => (await import("./log/command.ts")).log,
  decode: async () => (await import("./decode/command.ts")).decode,
  serve: async () => (await import("./serve/command.ts")).serve,
  proxy: async () => (await import("./proxy/command.ts")).proxy,
  playground: async () => (await import("./playground/command.ts")).playground,
  demo: async () => (await import("./demo/command.ts")).demo
}

/** The names of the commands. */
export const names = Object.keys(load) as ReadonlyArray<keyof typeof load>

/** The commands that a command line may be about: the one that it begins with, or all. */
export const commandsFor = (args: ReadonlyArray<string>) => {
  const named = names.filter((name) => name === args[0])
  return Promise.all((named.length === 0 ? names : named).map((name) => load[name]()))
}
