/** The flags of `sourcewire serve`. */
import { profileNames, type FaultSwitch, faultSwitches } from "@sourcewire/emulator/machines"
import { masterProfileNames } from "@sourcewire/server/machines"
import * as options from "../options.ts"

const metavars: Readonly<Record<FaultSwitch["takes"], string>> = {
  chance: "0–1",
  count: "N",
  milliseconds: "MS",
  bytes: "BYTES",
  nothing: ""
}

const faultFlag = ({ description, takes }: FaultSwitch): options.Flag<boolean | string | number | undefined> => {
  const text = `Fault: ${description}`
  if (takes === "nothing") return options.on(text)
  return takes === "milliseconds"
    ? options.optionalMilliseconds(text, { least: 0 })
    : options.text(metavars[takes], text)
}

const SERVED_ENGINES = ["source", "goldsource", "quake", "both"] as const

export type ProfileName = (typeof profileNames)[number]

export type ServedEngine = (typeof SERVED_ENGINES)[number]

export const flags = {
  json: options.json,
  profile: options.choices<ProfileName>(
    profileNames,
    "Game server to emulate; each further profile uses the next port",
    { defaultText: "css" }
  ),
  master: options.optionalChoice(
    masterProfileNames,
    "Also emulate a master server that lists the emulated servers, in pages (valve) or all at once (xash3d)"
  ),
  masterList: options.text(
    "FILE",
    "Add the IPv4 addresses in FILE to the master's list (-: standard input), one per line"
  ),
  bind: options.textOr(
    "HOST[:PORT]",
    "127.0.0.1",
    "Numeric address and UDP port to listen on. Addresses other than loopback are reachable from other hosts"
  ),
  port: options.optionalCount(
    "UDP port of the first server; 0: any free port. If it is given, a master uses the port after the last server",
    { least: 0, most: 65_535, alias: "p", defaultText: "27015, and 27010 for a master" }
  ),
  allowAmplification: options.on(
    "Allow profiles of old games on addresses other than loopback. Attackers can use spoofed requests to send their large replies to others"
  ),
  name: options.text("TEXT", "Name of the server"),
  map: options.text("MAP", "Map of the server"),
  people: options.optionalCount("Players on the server, without bots", { least: 0 }),
  replies: options.text(
    "FILE",
    "Reply with the bytes in FILE (-: standard input). FILE is an export of the playground, or a capture. Queries without bytes in FILE get the replies of the profile"
  ),
  rconPasswordFile: options.text("FILE", "Serve RCON on the same port, with the password in FILE", {
    defaultText: "SOURCEWIRE_RCON_PASSWORD; without a password, no RCON"
  }),
  rconEngine: options.optionalChoice(
    SERVED_ENGINES,
    "RCON protocol; source: TCP; goldsource, quake: UDP; both: source and goldsource",
    { metavar: "ENGINE", defaultText: "that of the profile" }
  ),
  ...Object.fromEntries(faultSwitches.map((one) => [one.name, faultFlag(one)]))
}

export type ServeSettings = options.Settings<typeof flags>
