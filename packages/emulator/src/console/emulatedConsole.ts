/**
 * The console of an emulated server, with enough commands to test a client. The commands print the data of the server's profile. If a
 * command sets a variable, the server's replies to queries do not change.
 */
import { demand } from "@sourcewire/inside/checks"
import { profileShape } from "@sourcewire/server/machines"
import { current, type Profile } from "@sourcewire/server"
import type { CommandHandler, CommandSource } from "@sourcewire/server/machines"
import known from "../profiles/cvars.json" with { type: "json" }
import * as Effect from "effect/Effect"
import type { HttpLogs } from "./httpLogs.ts"
import { hltvConsole } from "./hltvConsole.ts"
import { type StatusStyle, type StatusValues, statusText } from "./statusText.ts"

type Run = (words: ReadonlyArray<string>, from: CommandSource) => string

/** Splits a command into words, as engines do: spaces separate words, and a word in quotation marks can contain spaces. */
const splitWords = (command: string): ReadonlyArray<string> =>
  [...command.matchAll(/"([^"]*)"?|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "")

const players = (profile: Profile) => current(profile.players)?.players ?? []

/** App ids of games with a `status` layout other than the layout of Source 2013. */
const STYLES: Readonly<Record<number, StatusStyle>> = {
  730: "cs2",
  740: "csgo",
  4465480: "csgo",
  500: "csgo",
  550: "csgo"
}

/** Returns the rows of `status`: the players of A2S_PLAYER, with invented values for data that A2S_PLAYER does not contain. */
const buildRows = (profile: Profile, style: StatusStyle): StatusValues["players"] => {
  const list = players(profile)
  const bots = current(profile.info)?.bots ?? current(profile.legacyInfo)?.bots ?? 0
  return list.map(({ duration, name, score }, i) => {
    const isBot = i >= list.length - bots
    const id = style === "goldsource" ? `STEAM_0:${i % 2}:${1000 + i}` : `[U:1:${2000 + i}]`
    return {
      userId: i + 2,
      name,
      isBot,
      uniqueId: isBot ? "BOT" : id,
      connectedSeconds: Math.max(0, Math.floor(duration)),
      ping: isBot ? 0 : 15 + ((i * 37) % 80),
      loss: 0,
      score,
      state: "active",
      rate: isBot ? 0 : 786_432,
      ...(isBot ? {} : { address: `192.0.2.${(i % 250) + 1}:27005` })
    }
  })
}

const status = (profile: Profile, { engine }: CommandSource): string => {
  const info = current(profile.info)
  const legacy = current(profile.legacyInfo)
  const style = engine === "source" ? (STYLES[info?.appId ?? 0] ?? "source") : "goldsource"
  const rows = buildRows(profile, style)
  return statusText(style, {
    hostname: info?.name ?? legacy?.name ?? profile.name,
    version: `${info?.version ?? "1"}/${info?.protocol ?? legacy?.protocol ?? 0}`,
    address: `127.0.0.1:${info?.port ?? 27015}`,
    map: info?.map ?? legacy?.map ?? "",
    maxPlayers: info?.maxPlayers ?? legacy?.maxPlayers ?? rows.length,
    players: rows
  })
}

/** Returns the output of an unknown command. On GoldSource, the output is empty. */
const unknown = (name: string, { engine }: CommandSource): string =>
  ({ source: `Unknown command "${name}"\n`, goldsource: "", quake: `^3Warning: ^7Unknown command "${name}"\n` })[engine]

/**
 * Adds the commands of a server that posts its log: `say` writes its text to the log, and other commands add, remove and list receivers.
 */
const loggingConsole =
  (handler: (line: string, from: CommandSource) => string, logs: HttpLogs): CommandHandler =>
  (line, from) => {
    const [name = "", url = ""] = splitWords(line)
    switch (name) {
      case "logaddress_add_http":
        return Effect.match(logs.add(url), {
          onSuccess: () => `logaddress_add_http: ${url}\n`,
          onFailure: (message) => `${message}\n`
        })
      case "logaddress_delall_http":
        return Effect.as(logs.removeAll, "")
      case "logaddress_list_http":
        return `${logs.urls().length} receivers\n${logs
          .urls()
          .map((one) => `${one}\n`)
          .join("")}`
      case "say":
        return Effect.as(
          logs.send(`"Console<0><Console><Console>" say "${splitWords(line).slice(1).join(" ")}"`),
          handler(line, from)
        )
      default:
        return handler(line, from)
    }
  }

/**
 * Creates the console for a profile, as the handler of an RCON server. With `logs`, the console has commands to post the log over HTTP,
 * like CS2.
 */
export const emulatedConsole = (profile: Profile, logs?: HttpLogs): CommandHandler => {
  demand(profileShape, profile, "profile")
  const legacy = current(profile.legacyInfo)
  if (legacy?.serverType === "sourcetv") return hltvConsole(profile)
  const rules = current(profile.rules)?.rules ?? []
  // The common variables and the profile's rules. A rule replaces the common variable with the same name.
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
    status: (_, from) => status(profile, from),
    users: () => {
      const list = players(profile)
      const rows = list.map(({ name }, i) => `${i}:${i + 1}:"${name}"\n`)
      return `<slot:userid:"name">\n${rows.join("")}${list.length} users\n`
    }
  }

  const handler = (line: string, from: CommandSource): string => {
    const words = splitWords(line)
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
  return logs === undefined ? handler : loggingConsole(handler, logs)
}
