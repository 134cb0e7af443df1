/**
 * Prints a summary of a server in a few lines of Markdown, for example for a chat bot. For Node:
 *
 *     node discord-summary.ts 192.0.2.7:27015
 *
 * @module
 */
import { summary } from "@sourcewire/games"
import { connect, type ServerAnswer } from "@sourcewire/transport-node"

const [address = "127.0.0.1:27015"] = process.argv.slice(2)
const TOP = 5

/** Escapes Markdown, because names can contain it. Replaces an empty name, because a player who is still joining has no name. */
const escapeMarkdown = (name: string): string => name.replace(/[\\*_~`|>[\]()#@:]/g, "\\$&") || "*(joining)*"

const formatSummary = (answer: ServerAnswer): string => {
  const { rttAmbiguous, rttMs } = answer
  const { map, maxPlayers, name, players, queue } = summary(address, answer)
  const best = (answer.players?.players ?? []).toSorted((a, b) => b.score - a.score).slice(0, TOP)
  return [
    `**${escapeMarkdown(name)}**`,
    `${escapeMarkdown(map)} · ${players}/${maxPlayers} players${queue === null || queue === 0 ? "" : ` and ${queue} waiting`} · ${rttAmbiguous === true ? "≈ " : ""}${Math.round(rttMs)} ms`,
    ...best.map((player, i) => `${i + 1}. ${escapeMarkdown(player.name)} (${player.score})`)
  ].join("\n")
}

const client = await connect()
try {
  console.log(formatSummary(await client.query(address)))
} catch (error) {
  // Error messages are written for users, so the message can be printed.
  console.log(`**${escapeMarkdown(address)}** cannot be queried: ${error instanceof Error ? error.message : error}`)
} finally {
  await client.close()
}
