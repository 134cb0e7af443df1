/** `sourcewire handshake`: sends the handshake, and formats the reply. */
import type { HandshakeAnswer, HandshakeForm } from "@sourcewire/core/query"
import { fromHex } from "@sourcewire/protocol"
import { formatAside, queryCommand } from "../query/runQueries.ts"
import { hexDump } from "../view/fieldTree.ts"
import { type CardLine, body, heading, remark } from "../view/card.ts"
import type { Canvas } from "../output/output.ts"
import { safe } from "../output/text.ts"
import { plural, roundTripJson } from "../view/quantities.ts"
import type { HandshakeSettings } from "./flags.ts"

const number = (value: number): string => `${value} (0x${(value >>> 0).toString(16).padStart(8, "0")})`

const yesNo = (value: boolean): string => (value ? "yes" : "no")

const FORMS: Readonly<Record<HandshakeForm, string>> = {
  source: "Source 2013",
  csgo: "CS:GO",
  goldsource: "GoldSource, in text"
}

/** Returns a list with one line, which shows the value, or an empty list if there is no value. */
const maybe = <A>(label: string, value: A | undefined, text: (value: A) => string): ReadonlyArray<CardLine> =>
  value === undefined ? [] : [{ label, text: text(value) }]

/** Formats the lines that are different for each form of the handshake. */
const ownLines = ({ clientChallenge, reply }: HandshakeAnswer): ReadonlyArray<CardLine> => {
  switch (reply._tag) {
    case "HandshakeChallenge":
      return [
        { label: "Server challenge", text: number(reply.serverChallenge) },
        ...maybe("Client challenge", clientChallenge, (value) => `${number(value)}, as sent`),
        ...maybe("Encryption key", reply.encryptionKey, (key) => (key === "" ? "none" : key))
      ]
    case "CsgoHandshakeChallenge":
      return [
        { label: "Server challenge", text: number(reply.challenge) },
        { label: "Context", text: safe(reply.context) },
        { label: "Program version", text: String(reply.hostVersion) },
        { label: "Lobby type", text: reply.lobbyType === "" ? "none" : safe(reply.lobbyType) },
        { label: "Password", text: reply.passwordRequired ? "required" : "not required" },
        { label: "Valve's server", text: yesNo(reply.valveServer) }
      ]
    case "GoldSourceHandshakeChallenge":
      return [{ label: "Server challenge", text: number(reply.serverChallenge) }]
    default:
      return []
  }
}

const steamLines = ({ authProtocol, authProtocolName, steamId, vac }: HandshakeAnswer): ReadonlyArray<CardLine> => [
  ...maybe("Authentication", authProtocol, (value) =>
    authProtocolName === undefined ? `protocol ${value}` : `${authProtocolName} (${value})`
  ),
  ...maybe("SteamID", steamId, (value) => value),
  ...maybe("VAC", vac, (value) => (value ? "on" : "off"))
]

const view = (answer: HandshakeAnswer, aside: string, isTried: boolean, canvas: Canvas): ReadonlyArray<string> => {
  const { form, redirect, reply } = answer
  if (redirect !== undefined) {
    return [
      heading("Redirect", aside, canvas),
      ...body([{ label: "Join instead", text: safe(redirect) }], canvas),
      ...remark("The server redirects players to another address before the handshake, as fake servers do.", canvas)
    ]
  }
  if (reply._tag === "ChallengeReply") {
    return [
      heading("Challenge", aside, canvas),
      ...body([{ label: "Challenge", text: number(reply.challenge) }], canvas),
      ...remark("The server sends a plain challenge only: it does not support the handshake.", canvas)
    ]
  }
  const rest = reply._tag === "HandshakeChallenge" ? (reply.rest ?? "") : ""
  const lines = [
    ...maybe("Form", form, (value) => FORMS[value]),
    ...ownLines(answer),
    ...steamLines(answer),
    ...(rest === "" ? [] : [{ label: "Remaining bytes", text: plural(rest.length / 2, "byte") }])
  ]
  return [
    heading("Handshake", aside, canvas),
    ...body(lines, canvas),
    ...hexDump(fromHex(rest)!).map((line) => canvas.palette.faint(line)),
    ...(form === "goldsource" && isTried
      ? remark(
          "The server does not reply to Source's handshake (0x71), but replies to GoldSource's handshake. This is typical of ReHLDS and HLTV.",
          canvas
        )
      : [])
  ]
}

const question = (form: HandshakeForm | undefined) =>
  queryCommand<HandshakeAnswer>({
    run: (client, { address }, options) => client.handshake(address, { ...options, form }),
    json: ({
      clientChallenge: _challenge,
      received: _received,
      reply,
      rttAmbiguous,
      rttMs,
      sent: _sent,
      ...facts
    }) => ({
      ...roundTripJson({ rttMs, ...(rttAmbiguous === undefined ? {} : { rttAmbiguous }) }),
      handshake: reply,
      ...facts
    }),
    view: (answer, target, canvas) => view(answer, formatAside(target, answer), form === undefined, canvas)
  })

export const handshake = (settings: HandshakeSettings) => question(settings.form)(settings)
