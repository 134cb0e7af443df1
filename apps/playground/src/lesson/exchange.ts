/**
 * The lesson's exchange: INFO with its challenge, then RULES, whose reply is too large for one datagram. The datagrams are made here; they
 * are those of a Source server.
 */
import { type Message, encode } from "@sourcewire/protocol"
import { splitDatagram } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { type Row, survey } from "../analysis/survey.ts"
import type { Datagram } from "../bytes/Datagram.ts"

const CHALLENGE = 0x22d5_a14b

/** Bytes of a full fragment: the least that a server can be told to send, so that two are enough for a lesson. */
const FRAGMENT_BYTES = 576

const RULES =
  "bot_quota 0,coop 0,deathmatch 1,decalfrequency 10,mp_allowspectators 1,mp_autokick 1,mp_autoteambalance 1,mp_c4timer 45,mp_disable_respawn_times 0,mp_fadetoblack 0,mp_flashlight 1,mp_footsteps 1,mp_forcecamera 1,mp_freezetime 6,mp_friendlyfire 0,mp_limitteams 2,mp_maxrounds 0,mp_roundtime 2.5,mp_startmoney 800,mp_teamlist hgrunt;scientist,mp_timelimit 30,mp_winlimit 0,nextlevel de_nuke,r_AirboatViewDampenDamp 1.0,sv_accelerate 5,sv_airaccelerate 10,sv_alltalk 1,sv_cheats 0,sv_gravity 800,sv_maxspeed 320,sv_password 0,sv_pausable 0,sv_voiceenable 1,tv_enable 0,tv_password 0"

const bytesOf = (message: Message): Uint8Array => Result.getOrThrow(encode(message))

const rules = RULES.split(",").map((rule) => {
  const [name = "", value = ""] = rule.split(" ")
  return { name, value }
})

const YOU = "you"
const SERVER = "game server"

const sent = (timeMs: number, message: Message): Datagram => ({
  bytes: bytesOf(message),
  timeMs,
  from: YOU,
  to: SERVER
})
const received = (timeMs: number, bytes: Uint8Array): Datagram => ({ bytes, timeMs, from: SERVER, to: YOU })

/** All datagrams, in the order in which they pass. */
export const datagrams: ReadonlyArray<Datagram> = [
  sent(0, { _tag: "InfoRequest" }),
  received(24.1, bytesOf({ _tag: "ChallengeReply", challenge: CHALLENGE })),
  sent(24.3, { _tag: "InfoRequest", challenge: CHALLENGE }),
  received(
    47.9,
    bytesOf({
      _tag: "InfoReply",
      protocol: 17,
      name: "Dust and nothing else",
      map: "de_dust2",
      folder: "cstrike",
      game: "Counter-Strike: Source",
      appId: 240,
      players: 13,
      maxPlayers: 24,
      bots: 1,
      serverType: "dedicated",
      environment: "linux",
      passwordProtected: false,
      vac: true,
      version: "6630498",
      port: 27015,
      steamId: "90071996842377216",
      keywords: "alltalk,dust2"
    })
  ),
  sent(48.1, { _tag: "RulesRequest", challenge: CHALLENGE }),
  ...splitDatagram(bytesOf({ _tag: "RulesReply", announced: rules.length, rules, truncated: false }), {
    layout: "source",
    id: 1,
    maxBytes: FRAGMENT_BYTES
  }).map((bytes, i) => received(72.4 + i / 10, bytes))
]

const rows = survey(datagrams)

/** What happens, in which direction, and why. */
export interface Step {
  readonly row: Row
  readonly way: "sent" | "received" | "joined"
  readonly title: string
  readonly text: string
}

const told: ReadonlyArray<readonly [Step["way"], string, string]> = [
  [
    "sent",
    "You ask",
    "A2S_INFO: 25 bytes in one UDP datagram. Nothing is connected and nobody logs in; anybody may ask any server."
  ],
  [
    "received",
    "It challenges",
    "The address of a sender is easily forged, and a large reply sent to a forged address is an attack. So the server first sends a number, which only a real sender gets."
  ],
  ["sent", "You repeat", "The same question, with the number behind it. That is the proof."],
  [
    "received",
    "It answers",
    "Name, map, game, players: five texts, then one byte after the other. One byte of flags says what else follows. Choose a field to see what it means."
  ],
  [
    "sent",
    "You ask for the rules",
    "The number is good for the next question too: A2S_RULES, the server’s public settings."
  ],
  [
    "received",
    "It answers, split",
    "Too much for one datagram. The first four bytes are now −2, and a header says which part of which reply this is."
  ],
  [
    "received",
    "The second part",
    "UDP may lose it, or deliver it first. Without it there is no reply; with it, there is."
  ],
  [
    "joined",
    "Joined",
    "Headers taken off, parts put in order: one message again. A rule that was cut in two is whole here, and points at its bytes in both datagrams."
  ]
]

/** The steps, one for each datagram and one for what the fragments make together. */
export const steps: ReadonlyArray<Step> = told.map(([way, title, text], i) => ({ row: rows[i]!, way, title, text }))
