/** The console of an emulated HLTV proxy. This console has no variables and only a few commands, many of which print nothing. */
import { current, type Profile } from "@sourcewire/server"
import type { CommandHandler } from "@sourcewire/server/machines"

/** Splits a line into commands at separators outside quotation marks. */
const splitCommands = (line: string): ReadonlyArray<string> =>
  (line.match(/(?:[^;"]|"[^"]*"?)+/g) ?? []).map((command) => command.trim()).filter((command) => command !== "")

export const hltvConsole = (profile: Profile): CommandHandler => {
  const legacy = current(profile.legacyInfo)
  const players = current(profile.players)?.players ?? []
  let delaySeconds = 30

  const run = (command: string): string => {
    const rest = command.replace(/^\S+\s*/, "")
    switch (/^\S*/.exec(command)![0].toLowerCase()) {
      case "echo":
        return `${rest === "" ? "Syntax: title <text>" : rest.replaceAll('"', "")}\n`
      case "status":
        return [
          "--- HLTV Status ---",
          "Online 01:02, FPS 99.9, Version 4605 (Linux)",
          `Local Slots ${legacy?.maxPlayers ?? 0}, Spectators ${legacy?.players ?? 0} (max ${legacy?.players ?? 0}), Proxies 0`,
          `Connected to Game Server 127.0.0.1:27015, Delay ${delaySeconds}`,
          `Game Time 00:42, Mod "${legacy?.folder ?? ""}", Map "${legacy?.map ?? ""}", Players ${players.length}`,
          ""
        ].join("\n")
      case "players":
        return [
          ...players.map(({ name }, i) => `#${String(i + 1).padStart(2)} "${name}" gordon`),
          `--- Total ${players.length} Players ---`,
          ""
        ].join("\n")
      case "delay":
        if (rest === "") {
          return `Syntax: delay <seconds>\nCurrent spectator delay is ${delaySeconds.toFixed(1)} seconds.\n`
        }
        delaySeconds = Math.max(0, Number(rest) || 0)
        return ""
      case "say":
        return rest === "" ? "Syntax: say <text>\n" : ""
      default:
        return `WARNING! System::DispatchCommand: command "${command}" not registered.\n`
    }
  }

  return (line) => splitCommands(line).map(run).join("")
}
