/**
 * One server in a few lines of Markdown, as a chat bot posts it; here they are printed. For Node:
 *
 *     node discord-summary.ts 192.0.2.7:27015
 *
 * @module
 */
import type { ServerAnswer } from "@sourcewire/core"
import { connect } from "@sourcewire/transport-node"

const [address = "127.0.0.1:27015"] = process.argv.slice(2)
const TOP = 5

/** Players choose their names, and some choose Markdown. */
const plain = (name: string): string => name.replace(/[\\*_~`|>[\]()#@:]/g, "\\$&") || "*(joining)*"

const summaryOf = ({ info, players, rttAmbiguous, rttMs }: ServerAnswer): string => {
  const best = (players?.players ?? []).toSorted((a, b) => b.score - a.score).slice(0, TOP)
  return [
    `**${plain(info.name)}**`,
    `${plain(info.map)} · ${info.players}/${info.maxPlayers} players · ${rttAmbiguous === true ? "≈ " : ""}${Math.round(rttMs)} ms`,
    ...best.map(({ name, score }, i) => `${i + 1}. ${plain(name)} (${score})`)
  ].join("\n")
}

const client = await connect()
try {
  console.log(summaryOf(await client.query(address)))
} catch (error) {
  // Every error says in a sentence what went wrong.
  console.log(`**${plain(address)}** is not to be reached: ${error instanceof Error ? error.message : error}`)
} finally {
  await client.close()
}
