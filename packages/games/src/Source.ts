/** The sources of the facts about games. */

/** The source of a fact, as in the table of the games guide. */
export type Source = keyof typeof SOURCES

/**
 * The sources, by their short names in the declarations. No single source is authoritative. A test compares the declared ports with the
 * port tables of the sources.
 */
export const SOURCES = {
  capture: "a recorded reply of a real server",
  document: "an example reply in Valve’s documentation",
  notes: "our notes on the tables of other programs; if these differ, the game’s own documentation decides",
  gamedig: "gamedig 5.3.3",
  discordgsm: "the table of DiscordGSM’s GameServerMonitor",
  amp: "the templates of CubeCoders AMP",
  linuxgsm: "the default configurations of LinuxGSM",
  windowsgsm: "WindowsGSM and its plugins",
  pelican: "the eggs of Pelican, a hosting panel",
  "rust-gamedig": "rust-gamedig 0.9",
  a2s: "the list of app ids in a2s 0.3, a library for Go",
  gjq: "gjq, a program in Go",
  engine: "the default of the game’s engine",
  steam:
    "the Steam store lists this app id for the game, or, for a mod, for the game that it modifies (not confirmed by a reply of a real server)",
  valve: "the name of the game’s directory, which servers normally report (not confirmed by a reply of a real server)",
  report: "the output of another program that queried a real server"
} as const
