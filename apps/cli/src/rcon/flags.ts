/** The flags of `sourcewire rcon`. */
import { Limits } from "@sourcewire/core/engine"
import { RCON_ENGINES, RCON_TERMINATORS, RCON_TOTAL_TIMEOUT_MS } from "@sourcewire/core/rcon"
import type { RconEngine, Terminator } from "@sourcewire/core/rcon"
import * as options from "../options.ts"

export const flags = {
  address: options.argument("address", options.ADDRESS),
  words: options.rest("command", "Command to run (default: a prompt on a terminal, otherwise lines of standard input)"),
  command: options.texts("COMMAND", "Command to run after the previous one has ended", { alias: "e" }),
  file: options.text(
    "FILE",
    "Read more commands from FILE (-: standard input), one per line; // or # starts a comment",
    {
      alias: "f"
    }
  ),
  allowQuit: options.on(
    "Send `quit` and `exit` from FILE, standard input or the prompt to the server, which stops the server (default: they end the session)"
  ),
  passwordFile: options.text("FILE", "File with the password", {
    defaultText: "SOURCEWIRE_RCON_PASSWORD, otherwise a prompt"
  }),
  password: options.secret("PASSWORD", "The password itself; requires --insecure-password-argument"),
  insecurePasswordArgument: options.on("Accept --password although other users can read it in the process list"),
  engine: options.oneOf<RconEngine | "auto">(
    RCON_ENGINES,
    "auto",
    "Protocol: source is TCP, goldsource and quake are UDP; auto detects it"
  ),
  terminator: options.oneOf<Terminator>(
    RCON_TERMINATORS,
    "auto",
    "How to detect the end of a reply over TCP; auto: the first method that the server supports"
  ),
  timeout: options.milliseconds(Limits.DEFAULT_TIMEOUT_MS, "Time limit for each reply"),
  totalTimeout: options.optionalMilliseconds("Time limit for each command with all its replies", {
    defaultText: String(RCON_TOTAL_TIMEOUT_MS)
  }),
  encoding: options.encoding,
  history: options.text("FILE", "Store the lines typed at the prompt in FILE, except lines with passwords"),
  json: options.json,
  trace: options.on("Print every packet sent and received on standard error, without the password")
}

export type RconSettings = options.Settings<typeof flags>
