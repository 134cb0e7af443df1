/** `sourcewire rcon`: a server's console from afar. */
import { Limits, RCON_ENGINES, RCON_TERMINATORS, RCON_TOTAL_TIMEOUT_MS } from "@sourcewire/core/machines"
import type { RconEngine, Terminator } from "@sourcewire/core/machines"
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const flags = {
  address: options.argument("address", options.ADDRESS),
  words: options.rest("command", "One command; without any, they come from standard input or are typed at a prompt"),
  command: options.texts("COMMAND", "A command; may be given again, each runs when the one before is done", {
    alias: "c"
  }),
  file: options.text(
    "FILE",
    "Read more commands from FILE (- is standard input): one per line, // or # begins a comment",
    { alias: "f" }
  ),
  passwordFile: options.text(
    "FILE",
    "File with the password; else SOURCEWIRE_RCON_PASSWORD holds it, or it is asked for"
  ),
  password: options.secret("PASSWORD", "The password itself; refused without --insecure-password-argument"),
  insecurePasswordArgument: options.on(
    "Take --password although others on this computer can read it in the list of processes"
  ),
  engine: options.oneOf<RconEngine | "auto">(
    RCON_ENGINES,
    "auto",
    "source is TCP, goldsource and quake are UDP; auto finds out"
  ),
  terminator: options.oneOf<Terminator>(
    RCON_TERMINATORS,
    "auto",
    "How the end of a reply over TCP is found; auto finds out what the server knows"
  ),
  timeout: options.count(Limits.DEFAULT_TIMEOUT_MS, "Milliseconds that the server may stay silent"),
  totalTimeout: options.optionalCount(
    `Milliseconds that a command may take altogether, whatever the server goes on to send; ${RCON_TOTAL_TIMEOUT_MS} unless given`,
    { metavar: "MS" }
  ),
  encoding: options.encoding,
  history: options.text("FILE", "Keep what is typed at the prompt in FILE; lines with passwords are left out"),
  json: options.json,
  trace: options.on("Show every packet sent and received on standard error, without the password")
}

export type RconSettings = options.Settings<typeof flags>

export const rcon = command({
  description: "Give commands to a server's console (RCON, over TCP or UDP)",
  examples: {
    "sourcewire rcon 127.0.0.1:27015": "A prompt; the password is asked for first",
    "sourcewire rcon 127.0.0.1:27015 --password-file rcon.txt changelevel de_dust2": "One command",
    "sourcewire rcon 127.0.0.1 --json -c status -c stats":
      "Several, for a program to read; the password is in SOURCEWIRE_RCON_PASSWORD"
  },
  flags,
  load: async () => (await import("./runRcon.ts")).runRcon
})
