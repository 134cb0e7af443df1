/**
 * `sourcewire rcon`: a server's console from afar.
 *
 * @module
 */
import { Rcon } from "@sourcewire/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as options from "../options.ts"

/** The command. */
export const rcon = Command.make(
  "rcon",
  {
    address: Argument.String("address").pipe(
      Argument.withDescription("host, host:port, 1.2.3.4:27015 or [::1]:27015; the port is 27015 unless given")
    ),
    words: Argument.String("command").pipe(
      Argument.withDescription("One command; without any, they come from standard input or are typed at a prompt"),
      Argument.variadic()
    ),
    command: Flag.String("command").pipe(
      Flag.withAlias("c"),
      Flag.withMetavar("COMMAND"),
      Flag.atLeast(0),
      Flag.withDescription("A command; may be given again, each runs when the one before is done")
    ),
    file: Flag.String("file").pipe(
      Flag.withAlias("f"),
      Flag.withMetavar("FILE"),
      Flag.optional,
      Flag.withDescription("Read more commands from FILE (- is standard input): one per line, // or # begins a comment")
    ),
    passwordFile: Flag.String("password-file").pipe(
      Flag.withMetavar("FILE"),
      Flag.optional,
      Flag.withDescription("File with the password; else SOURCEWIRE_RCON_PASSWORD holds it, or it is asked for")
    ),
    password: Flag.Redacted("password").pipe(
      Flag.withMetavar("PASSWORD"),
      Flag.optional,
      Flag.withDescription("The password itself; refused without --insecure-password-argument")
    ),
    insecurePasswordArgument: Flag.Boolean("insecure-password-argument").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Take --password although others on this computer can read it in the list of processes")
    ),
    engine: Flag.Literals("engine", Rcon.ENGINES).pipe(
      Flag.withDefault<Rcon.RconEngine | "auto">("auto"),
      Flag.withDescription("source is TCP, goldsource and quake are UDP; auto finds out")
    ),
    terminator: Flag.Literals("terminator", Rcon.TERMINATORS).pipe(
      Flag.withDefault<Rcon.Terminator>("auto"),
      Flag.withDescription("How the end of a reply over TCP is found; auto finds out what the server knows")
    ),
    timeout: options.count("timeout", {
      least: 1,
      otherwise: Rcon.DEFAULT_TIMEOUT_MS,
      description: "Milliseconds that the server may stay silent"
    }),
    totalTimeout: Flag.Int("total-timeout").pipe(
      Flag.filter(
        (ms) => ms > 0,
        (ms) => `--total-timeout must be 1 or more, not ${ms}`
      ),
      Flag.withMetavar("MS"),
      Flag.optional,
      Flag.withDescription(
        `Milliseconds that a command may take altogether, whatever the server goes on to send; ${Rcon.DEFAULT_TOTAL_TIMEOUT_MS} unless given`
      )
    ),
    encoding: options.encoding,
    history: Flag.String("history").pipe(
      Flag.withMetavar("FILE"),
      Flag.optional,
      Flag.withDescription("Keep what is typed at the prompt in FILE; lines with passwords are left out")
    ),
    json: options.json,
    trace: Flag.Boolean("trace").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Show every packet sent and received on standard error, without the password")
    )
  },
  (settings) =>
    Effect.flatMap(
      Effect.promise(() => import("../rcon/runRcon.ts")),
      ({ runRcon }) => runRcon(settings)
    )
).pipe(
  Command.withDescription("Give commands to a server's console (RCON, over TCP or UDP)"),
  Command.withExamples([
    { command: "sourcewire rcon 127.0.0.1:27015", description: "A prompt; the password is asked for first" },
    {
      command: "sourcewire rcon 127.0.0.1:27015 --password-file rcon.txt changelevel de_dust2",
      description: "One command"
    },
    {
      command: "sourcewire rcon 127.0.0.1 --json -c status -c stats",
      description: "Several, for a program to read; the password is in SOURCEWIRE_RCON_PASSWORD"
    }
  ])
)
