/**
 * Prints a server in a few lines of Markdown, as a chat bot could post it. For Node:
 *
 *     node discord-summary.ts 192.0.2.7:27015
 *
 * @module
 */
import { summary } from "@sourcewire/games"
import { connect, type ServerAnswer } from "@sourcewire/transport-node"

const [address = "127.0.0.1:27015"] = process.argv.slice(2)
const TOP = 5

/** Players choose their names, and some choose Markdown. */
const plain = (name: string): string => name.replace(/[\\*_~`|>[\]()#@:]/g, "\\$&") || "*(joining)*"

const summaryOf = (answer: ServerAnswer): string => {
  const { rttAmbiguous, rttMs } = answer
  const { map, maxPlayers, name, players, queue } = summary(address, answer)
  const best = (answer.players?.players ?? []).toSorted((a, b) => b.score - a.score).slice(0, TOP)
  return [
    `**${plain(name)}**`,
    `${plain(map)} · ${players}/${maxPlayers} players${queue === null || queue === 0 ? "" : ` and ${queue} waiting`} · ${rttAmbiguous === true ? "≈ " : ""}${Math.round(rttMs)} ms`,
    ...best.map((player, i) => `${i + 1}. ${plain(player.name)} (${player.score})`)
  ].join("\n")
}

const client = await connect()
try {
  console.log(summaryOf(await client.query(address)))
} catch (error) {
  // The message of an error is a sentence for users.
  console.log(`**${plain(address)}** is not to be reached: ${error instanceof Error ? error.message : error}`)
} finally {
  await client.close()
}
