/**
 * Reduces counts that are too large for their field, as real servers do: the number of rules modulo 65 536, all other counts modulo 256.
 */
import type { GoldSourceInfoReply, InfoReply, Message, PlayersReply } from "@sourcewire/protocol"

/** Returns the count modulo `limit`. Values that are not whole numbers are not changed; the encoder reports them. */
const wrapped = (count: number, limit = 256): number =>
  Number.isSafeInteger(count) && count >= limit ? count % limit : count

const info = <A extends InfoReply | GoldSourceInfoReply>(reply: A): A => ({
  ...reply,
  players: wrapped(reply.players),
  maxPlayers: wrapped(reply.maxPlayers),
  ...(reply.bots === undefined ? {} : { bots: wrapped(reply.bots) })
})

const players = (reply: PlayersReply): PlayersReply => ({
  ...reply,
  announced: wrapped(reply.announced),
  players: Array.isArray(reply.players)
    ? reply.players.map((player) => (player?.index > 255 ? { ...player, index: wrapped(player.index) } : player))
    : reply.players
})

export const withByteCounts = (message: Message): Message => {
  switch (message._tag) {
    case "InfoReply":
    case "GoldSourceInfoReply":
      return info(message)
    case "PlayersReply":
      return players(message)
    case "RulesReply":
      return { ...message, announced: wrapped(message.announced, 65_536) }
    default:
      return message
  }
}
