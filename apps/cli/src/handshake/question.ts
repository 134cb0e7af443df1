/** The question of `handshake`, and how its answer looks. */
import type { HandshakeAnswer } from "@sourcewire/core/machines"
import { fromHex } from "@sourcewire/protocol"
import type { HandshakeChallenge } from "@sourcewire/protocol/machines"
import { asideOf, asking } from "../query/runQueries.ts"
import { hexDump } from "../view/fieldTree.ts"
import { type CardLine, body, heading, remark } from "../view/card.ts"
import type { Canvas } from "../output/output.ts"
import { plural, roundTripJson } from "../view/quantities.ts"

const number = (value: number): string => `${value} (0x${(value >>> 0).toString(16).padStart(8, "0")})`

const replyLines = (reply: HandshakeChallenge, name: string | undefined): ReadonlyArray<CardLine> => [
  { label: "Server challenge", text: number(reply.serverChallenge) },
  { label: "Client challenge", text: `${number(reply.clientChallenge)}, as sent` },
  {
    label: "Authentication",
    text: name === undefined ? `protocol ${reply.authProtocol}` : `${name} (${reply.authProtocol})`
  },
  { label: "Encryption key", text: reply.encryptionKey === "" ? "none" : reply.encryptionKey },
  { label: "What follows", text: reply.rest === "" ? "nothing" : plural(reply.rest.length / 2, "byte") }
]

const view = ({ authProtocolName, reply }: HandshakeAnswer, aside: string, canvas: Canvas): ReadonlyArray<string> => {
  if (reply._tag === "ChallengeReply") {
    return [
      heading("Challenge", aside, canvas),
      ...body([{ label: "Challenge", text: number(reply.challenge) }], canvas),
      ...remark("A plain challenge is all that the server gives: it does not take part in the handshake.", canvas)
    ]
  }
  return [
    heading("Handshake", aside, canvas),
    ...body(replyLines(reply, authProtocolName), canvas),
    ...hexDump(fromHex(reply.rest)!).map((line) => canvas.palette.faint(line))
  ]
}

export const handshake = asking<HandshakeAnswer>({
  ask: (client, { address }, options) => client.handshake(address, options),
  json: ({ authProtocolName, reply, ...answer }) => ({ ...roundTripJson(answer), handshake: reply, authProtocolName }),
  view: (answer, target, canvas) => view(answer, asideOf(target, answer), canvas)
})
