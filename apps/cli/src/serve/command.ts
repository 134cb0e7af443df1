/** `sourcewire serve`: emulated game servers, with faults on request. */
import { profileNames, type FaultSwitch, faultSwitches } from "@sourcewire/emulator/machines"
import { masterProfileNames } from "@sourcewire/server/machines"
import { command } from "../commandLine/command.ts"
import * as options from "../options.ts"

const metavars: Readonly<Record<FaultSwitch["takes"], string>> = {
  chance: "0–1",
  count: "N",
  milliseconds: "MS",
  bytes: "BYTES",
  nothing: ""
}

const faultFlag = ({ description, takes }: FaultSwitch): options.Flag<boolean | string | undefined> =>
  takes === "nothing" ? options.on(`Fault: ${description}`) : options.text(metavars[takes], `Fault: ${description}`)

// `source` is TCP, `goldsource` and `quake` are UDP; `both` are the first two on the same port.
const SERVED_ENGINES = ["source", "goldsource", "quake", "both"] as const

export type ProfileName = (typeof profileNames)[number]

export type ServedEngine = (typeof SERVED_ENGINES)[number]

const flags = {
  json: options.json,
  profile: options.someOf<ProfileName>(
    profileNames,
    "What to be, css unless given; given again, one more server on the next port"
  ),
  master: options.maybeOneOf(
    masterProfileNames,
    "Be a master server that lists the servers given by --profile, a page at a time (valve) or all at once (xash3d)"
  ),
  masterList: options.text("FILE", "List the IPv4 addresses in FILE as well (- is standard input), one per line"),
  bind: options.textOr("ADDRESS", "127.0.0.1", "Numeric address to listen on; anything but loopback is open to others"),
  port: options.optionalCount(
    "UDP port of the first server, 27015 unless given; a master has the one behind the last, or 27010; 0 lets the system choose",
    { least: 0, most: 65_535, alias: "p" }
  ),
  allowAmplification: options.on(
    "Let old games, which anyone can have send many times as much to a forged sender, listen beyond loopback"
  ),
  name: options.text(undefined, "Name of the server"),
  map: options.text(undefined, "Map being played"),
  people: options.optionalCount("People on the server, bots not counted", { least: 0, metavar: "N" }),
  rconPasswordFile: options.text(
    "FILE",
    "Serve RCON with the password in FILE, or in SOURCEWIRE_RCON_PASSWORD, on the same port"
  ),
  rconEngine: options.maybeOneOf(
    SERVED_ENGINES,
    "Whose RCON: TCP for source, UDP for goldsource and quake; the profile's game's unless given"
  ),
  ...Object.fromEntries(faultSwitches.map((one) => [one.name, faultFlag(one)]))
}

export type ServeSettings = options.Settings<typeof flags>

export const serve = command({
  description: "Emulate game servers on this computer, with faults on request",
  examples: {
    "sourcewire serve": "A Counter-Strike: Source server on 127.0.0.1:27015",
    "sourcewire serve --profile cs16 --profile rust --port 27020": "Two servers side by side",
    "sourcewire serve --loss 0.3 --delay 50 --rechallenge 2": "A server that is hard to reach",
    "sourcewire serve --master xash3d --master-list servers.txt":
      "A master server, for `sourcewire master --server 127.0.0.1:27010`",
    "sourcewire serve --rcon-password-file rcon.txt": "One with a console, for `sourcewire rcon` and other clients"
  },
  flags,
  load: async () => (await import("./runServe.ts")).runServe
})
