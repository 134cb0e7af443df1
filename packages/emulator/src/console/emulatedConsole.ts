/**
 * A console for the emulated server: a few commands that act on what its profile claims, enough for a client to be tried on.
 * Variables can be set, and are then so for this console; the profile's own replies don't change.
 */
import { demand, profileShape } from "@sourcewire/server/machines"
import { current, type Profile } from "@sourcewire/server"
import type { CommandHandler, CommandSource } from "@sourcewire/server/machines"
import known from "../profiles/cvars.json" with { type: "json" }
import { hltvConsole } from "./hltvConsole.ts"

type Run = (words: ReadonlyArray<string>, from: CommandSource) => string

/** Words as the engines see them: separated by blanks, quotes hold one together. */
const wordsOf = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(/"([^"]*)"?|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "")

const players = (profile: Profile) => current(profile.players)?.players ?? []

const clock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return `${String(Math.floor(whole / 60)).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`
}

const status = (profile: Profile): string => {
  const info = current(profile.info)
  const legacy = current(profile.legacyInfo)
  const list = players(profile)
  const lines = [
    `hostname: ${info?.name ?? legacy?.name ?? profile.name}`,
    `version : ${info?.version ?? "1"}/${info?.protocol ?? legacy?.protocol ?? 0}`,
    `map     : ${info?.map ?? legacy?.map ?? ""} at: 0 x, 0 y, 0 z`,
    `players : ${list.length} (${info?.maxPlayers ?? legacy?.maxPlayers ?? list.length} max)`,
    "",
    "# userid name connected score",
    ...list.map(({ duration, name, score }, i) => `#${String(i + 1).padStart(7)} "${name}" ${clock(duration)} ${score}`)
  ]
  return `${lines.join("\n")}\n`
}

/** What a command that nobody knows prints: nothing on GoldSource. */
const unknown = (name: string, { engine }: CommandSource): string =>
  ({ source: `Unknown command "${name}"\n`, goldsource: "", quake: `^3Warning: ^7Unknown command "${name}"\n` })[engine]

/** The console of a server with this profile, to be given to an RCON server as its handler. */
export const emulatedConsole = (profile: Profile): CommandHandler => {
  demand(profileShape, profile, "profile")
  const legacy = current(profile.legacyInfo)
  if (legacy?.serverType === "sourcetv") return hltvConsole(profile)
  const rules = current(profile.rules)?.rules ?? []
  // Some of any server's, in case the profile has no rules to take them from.
  const cvars = new Map([...Object.entries(known.console), ...rules.map(({ name, value }) => [name, value] as const)])

  const commands: Readonly<Record<string, Run>> = {
    cmdlist: () => `${Object.keys(commands).toSorted().join("\n")}\n${Object.keys(commands).length} commands\n`,
    cvarlist: (words) => {
      const prefix = words[1] ?? ""
      const shown = [...cvars].filter(([name]) => name.startsWith(prefix)).toSorted(([a], [b]) => (a < b ? -1 : 1))
      const lines = shown.map(([name, value]) => `${name.padEnd(32)} : ${value}`)
      return `cvar list\n--------------\n${lines.map((line) => `${line}\n`).join("")}--------------\n${shown.length} total convars\n`
    },
    echo: (words) => `${words.slice(1).join(" ")} \n`,
    say: (words, from) => `Console: ${words.slice(1).join(" ")}${from.engine === "source" ? "\n" : ""}`,
    status: () => status(profile),
    users: () => {
      const list = players(profile)
      const rows = list.map(({ name }, i) => `${i}:${i + 1}:"${name}"\n`)
      return `<slot:userid:"name">\n${rows.join("")}${list.length} users\n`
    }
  }

  return (line, from) => {
    const words = wordsOf(line)
    const name = words[0]
    if (name === undefined) return ""
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command !== undefined) return command(words, from)
    const value = cvars.get(name)
    if (value === undefined) return unknown(name, from)
    if (words.length > 1) {
      cvars.set(name, words.slice(1).join(" "))
      return ""
    }
    return from.engine === "source" ? `"${name}" = "${value}"\n` : `"${name}" is "${value}"\n`
  }
}
