/**
 * Posts one message to a Discord channel, and updates the message with the map and the number of players of each server. The program needs
 * no bot account, only a webhook (channel settings, Integrations, Webhooks). For Node:
 *
 *     WEBHOOK_FILE=webhook.txt node discord-live-message.ts 192.0.2.7:27015 192.0.2.8:27015
 *
 * A file (MESSAGE_FILE) stores the id of the message, so that the program edits the same message after a restart. INTERVAL_S is the time between two
 * updates in seconds (default: 60).
 *
 * @module
 */
import { summary } from "@sourcewire/games"
import { connect } from "@sourcewire/transport-node"
import { readFile, writeFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"

const addresses = process.argv.slice(2)
const { INTERVAL_S = "60", MESSAGE_FILE = "message-id.txt", WEBHOOK_FILE = "webhook.txt" } = process.env
const webhook = (await readFile(WEBHOOK_FILE, "utf8")).trim().replace(/\/$/, "")

/** Escapes Markdown, because names of servers can contain it. */
const escapeMarkdown = (text: string): string => text.slice(0, 80).replace(/[\\*_~`|>[\]()#@:]/g, "\\$&")

await using client = await connect()

const makeCard = async (address: string) => {
  try {
    const info = await client.info(address)
    const { map, maxPlayers, name, players } = summary(address, { info })
    return {
      title: escapeMarkdown(name),
      description: `**${players}/${maxPlayers}** on ${escapeMarkdown(map)}\n\`${address}\``,
      color: 0x0b5f57
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { title: address, description: escapeMarkdown(why), color: 0xb3261e }
  }
}

/** Posts or edits the message. Returns 0, or the number of seconds to wait if Discord limits requests. */
const show = async (embeds: ReadonlyArray<object>): Promise<number> => {
  const id = await readFile(MESSAGE_FILE, "utf8").then(
    (text) => text.trim(),
    () => ""
  )
  const response = await fetch(id === "" ? `${webhook}?wait=true` : `${webhook}/messages/${id}`, {
    method: id === "" ? "POST" : "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ embeds, allowed_mentions: { parse: [] } })
  })
  if (response.status === 429) return Number(response.headers.get("retry-after") ?? 5)
  // If the message was deleted, the next update posts a new message.
  if (response.status === 404 && id !== "") await writeFile(MESSAGE_FILE, "")
  else if (!response.ok) console.error(`Discord replied with status ${response.status}.`)
  else if (id === "") {
    const { id: posted } = (await response.json()) as { readonly id: string }
    await writeFile(MESSAGE_FILE, posted)
  }
  return 0
}

for (;;) {
  // A message can have at most ten embeds.
  const cards = await Promise.all(addresses.slice(0, 10).map(makeCard))
  const waitS = await show(cards).catch(() => {
    // The error is not printed, because it may contain the address of the webhook, which is a secret.
    console.error("Discord cannot be reached.")
    return 0
  })
  await sleep(Math.max(Number(INTERVAL_S), waitS) * 1000)
}
