/** A2S_INFO. The reply is an `InfoReply` (new dialect) or a `GoldSourceInfoReply` (old dialect). */
import { GoldSourceInfoReply, InfoReply } from "@sourcewire/protocol"
import { MessageType, messageType, REQUESTS } from "@sourcewire/protocol/wire"
import type { Query } from "./kind.ts"

/** A2S_INFO: name, map, players and other properties of the server. */
export const info: Query<InfoReply | GoldSourceInfoReply> = {
  name: "info",
  valve: "A2S_INFO",
  checksLiveness: true,
  opening: REQUESTS.info,
  challenged: REQUESTS.challengedInfo,
  answers: [MessageType.S2A_INFO_SRC, MessageType.S2A_INFO_DETAILED],
  oldAnswer: MessageType.S2A_INFO_DETAILED,
  decode: (datagram, encoding, type = messageType(datagram)) =>
    type === MessageType.S2A_INFO_SRC
      ? InfoReply.decode(datagram, { encoding })
      : GoldSourceInfoReply.decode(datagram, { encoding })
}
