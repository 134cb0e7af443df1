/** `sourcewire serve`: emulated game servers, with faults on request. */
import { type ProfileName, profileNames } from "@sourcewire/emulator"
import { type FaultSwitch, faultSwitches } from "@sourcewire/emulator/machines"
import { masterProfileNames } from "@sourcewire/server/machines"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import * as options from "../options.ts"

const metavars: Readonly<Record<FaultSwitch["takes"], string>> = {
  chance: "0–1",
  count: "N",
  milliseconds: "MS",
  bytes: "BYTES",
  nothing: ""
}

/** A switch as a flag; its value is the switch written as `parseFaults` reads it. */
const faultFlag = ({ description, name, takes }: FaultSwitch): Flag.Flag<Option.Option<string>> => {
  const text = `Fault: ${description}`
  return takes === "nothing"
    ? Flag.map(options.on(name, text), (isOn) => (isOn ? Option.some(name) : Option.none()))
    : Flag.map(
        options.text(name, metavars[takes], text),
        Option.map((value) => `${name}=${value}`)
      )
}

// `source` is TCP, `goldsource` and `quake` are UDP; `both` are the first two on the same port.
const SERVED_ENGINES = ["source", "goldsource", "quake", "both"] as const

/** Whose RCON a server speaks. */
export type ServedEngine = (typeof SERVED_ENGINES)[number]

const flags = {
  json: options.json,
  profile: Flag.Literals("profile", profileNames).pipe(
    Flag.atLeast(0),
    Flag.map((names): ReadonlyArray<ProfileName> => names),
    Flag.withDescription("What to be, css unless given; given again, one more server on the next port")
  ),
  master: Flag.Literals("master", masterProfileNames).pipe(
    Flag.optional,
    Flag.withDescription(
      "Be a master server that lists the servers given by --profile, a page at a time (valve) or all at once (xash3d)"
    )
  ),
  masterList: options.text(
    "master-list",
    "FILE",
    "List the IPv4 addresses in FILE as well (- is standard input), one per line"
  ),
  bind: Flag.String("bind").pipe(
    Flag.withMetavar("ADDRESS"),
    Flag.withDefault("127.0.0.1"),
    Flag.withDescription("Numeric address to listen on; anything but loopback is open to others")
  ),
  port: Flag.Int("port").pipe(
    Flag.filter(
      (port) => port >= 0 && port <= 65_535,
      (port) => `--port must be from 0 to 65535, not ${port}`
    ),
    Flag.withAlias("p"),
    Flag.optional,
    Flag.withDescription(
      "UDP port of the first server, 27015 unless given; a master has the one behind the last, or 27010; 0 lets the system choose"
    )
  ),
  allowAmplification: options.on(
    "allow-amplification",
    "Let old games, which anyone can have send many times as much to a forged sender, listen beyond loopback"
  ),
  name: options.text("name", undefined, "Name of the server"),
  map: options.text("map", undefined, "Map being played"),
  people: options.optionalCount("people", "People on the server, bots not counted", 0).pipe(Flag.withMetavar("N")),
  rconPasswordFile: options.text(
    "rcon-password-file",
    "FILE",
    "Serve RCON with the password in FILE, or in SOURCEWIRE_RCON_PASSWORD, on the same port"
  ),
  rconEngine: Flag.Literals("rcon-engine", SERVED_ENGINES).pipe(
    Flag.optional,
    Flag.withDescription("Whose RCON: TCP for source, UDP for goldsource and quake; the profile's game's unless given")
  ),
  faults: Object.fromEntries(faultSwitches.map((one) => [one.name, faultFlag(one)]))
}

/** What the command line says. */
export type ServeSettings = options.Settings<typeof flags>

/** The command. */
export const serve = Command.make(
  "serve",
  flags,
  options.later(async () => (await import("./runServe.ts")).runServe)
).pipe(
  Command.withDescription("Emulate game servers on this computer, with faults on request"),
  Command.withExamples([
    { command: "sourcewire serve", description: "A Counter-Strike: Source server on 127.0.0.1:27015" },
    { command: "sourcewire serve --profile cs16 --profile rust --port 27020", description: "Two servers side by side" },
    {
      command: "sourcewire serve --loss 0.3 --delay 50 --rechallenge 2",
      description: "A server that is hard to reach"
    },
    {
      command: "sourcewire serve --master xash3d --master-list servers.txt",
      description: "A master server, for `sourcewire master --server 127.0.0.1:27010`"
    },
    {
      command: "sourcewire serve --rcon-password-file rcon.txt",
      description: "One with a console, for `sourcewire rcon` and other clients"
    }
  ])
)
