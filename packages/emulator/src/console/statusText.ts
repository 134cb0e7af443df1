/** The output of `status` in the layout of each engine. `readStatus` of `@sourcewire/core/text` parses this output. */
import type { StatusPlayer } from "@sourcewire/core/text"

/**
 * A layout of the output of `status`. CS:GO and Left 4 Dead 2 use the layout `csgo`. In this layout, the line of each player except bots
 * contains the number of the player's slot.
 */
export type StatusStyle = "goldsource" | "source" | "csgo" | "cs2"

export interface StatusValues {
  readonly hostname: string
  readonly version: string
  readonly address: string
  readonly map: string
  readonly maxPlayers: number
  readonly players: ReadonlyArray<StatusPlayer>
}

const clock = (seconds = 0): string => {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0")
  const [hours, rest] = [Math.floor(seconds / 3600), seconds % 3600]
  return `${hours === 0 ? "" : `${hours}:`}${two(rest / 60)}:${two(rest % 60)}`
}

const number = (value: number | undefined, width: number): string => String(value ?? 0).padStart(width)

const behind = (address: string | undefined): string => (address === undefined ? "" : ` ${address}`)

const ROWS: Readonly<Record<StatusStyle, (player: StatusPlayer, i: number) => string>> = {
  goldsource: ({ address, connectedSeconds, loss, name, ping, score, uniqueId, userId }, i) =>
    `#${number(i + 1, 2)} ${`"${name}"`.padStart(8)} ${userId} ${uniqueId} ${number(score, 3)} ${clock(connectedSeconds).padStart(5)} ${number(ping, 4)} ${number(loss, 4)}${behind(address)}`,
  source: ({ address, connectedSeconds, isBot, loss, name, ping, state, uniqueId, userId }) =>
    isBot
      ? `# ${number(userId, 6)} ${`"${name}"`.padEnd(19)} BOT                       ${state}`
      : `# ${number(userId, 6)} ${`"${name}"`.padEnd(19)} ${uniqueId!.padEnd(19)} ${clock(connectedSeconds).padEnd(9)} ${number(ping, 4)} ${number(loss, 4)} ${state}${behind(address)}`,
  csgo: ({ address, connectedSeconds, isBot, loss, name, ping, rate, state, uniqueId, userId }, i) =>
    isBot
      ? `#${number(userId, 2)} "${name}" BOT ${state} ${rate ?? 64}`
      : `# ${number(userId, 2)} ${i + 1} "${name}" ${uniqueId} ${clock(connectedSeconds)} ${ping ?? 0} ${loss ?? 0} ${state} ${rate ?? 0}${behind(address)}`,
  cs2: ({ address, connectedSeconds, isBot, loss, name, ping, rate, state, userId }) =>
    `${number(userId, 4)} ${(isBot ? "BOT" : clock(connectedSeconds)).padStart(8)} ${number(ping, 4)} ${number(loss, 4)} ${state!.padStart(10)} ${number(rate, 6)}${behind(address)} '${name}'`
}

const HEADERS: Readonly<Record<StatusStyle, ReadonlyArray<string>>> = {
  goldsource: ["", "#      name userid uniqueid frag time ping loss adr"],
  source: ["# userid name                uniqueid            connected ping loss state  adr"],
  csgo: ["", "# userid name uniqueid connected ping loss state rate adr"],
  cs2: ["---------players--------", "  id     time ping loss      state   rate adr name"]
}

/** The lines above the list of players. */
const formatHead = (style: StatusStyle, values: StatusValues): ReadonlyArray<string> => {
  const { address, hostname, map, maxPlayers, players, version } = values
  const bots = players.filter(({ isBot }) => isBot).length
  const counts = `${players.length - bots} humans, ${bots} bots`
  switch (style) {
    case "goldsource":
      return [
        `hostname:  ${hostname}`,
        `version :  ${version}`,
        `tcp/ip  :  ${address}`,
        `map     :  ${map} at: 0 x, 0 y, 0 z`,
        `players :  ${players.length} active (${maxPlayers} max)`
      ]
    case "source":
      return [
        `hostname: ${hostname}`,
        `version : ${version} secure`,
        `udp/ip  : ${address}`,
        `map     : ${map} at: 0 x, 0 y, 0 z`,
        `players : ${counts} (${maxPlayers} max)`
      ]
    case "csgo":
      return [
        `hostname: ${hostname}`,
        `version : ${version} secure`,
        `udp/ip  : ${address}`,
        "os      :  Linux",
        "type    :  community dedicated",
        `map     : ${map}`,
        `players : ${counts} (${maxPlayers}/0 max) (not hibernating)`
      ]
    case "cs2":
      return [
        "Server:  Running [0.0.0.0:27015]",
        "Client:  Disconnected",
        "----- Status -----",
        "@ Current  :  game",
        "source   : console",
        `hostname : ${hostname}`,
        "spawn    : 1",
        `version  : ${version} secure  public`,
        `udp/ip   : ${address} (public ${address})`,
        "os/type  : Linux dedicated",
        `players  : ${counts} (0 max) (not hibernating) (unreserved)`,
        "---------spawngroups----",
        `loaded spawngroup(  1)  : SV:  [1: ${map} | main lump | mapload]`
      ]
  }
}

/** Returns the output of `status` in the layout `style`. */
export const statusText = (style: StatusStyle, values: StatusValues): string => {
  const rows = values.players.map((player, i) => ROWS[style](player, i))
  const foot = { goldsource: [`${values.players.length} users`], source: [], csgo: ["#end"], cs2: ["#end"] }[style]
  return `${[...formatHead(style, values), ...HEADERS[style], ...rows, ...foot].join("\n")}\n`
}
