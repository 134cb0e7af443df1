/** A2S_PLAYER: the players on the server. */
import { MAX_PLAYERS } from "../Limits.ts"
import { returnedChallenge } from "./challenge.ts"
import type { Declarations } from "./Declaration.ts"

export const players: Declarations = {
  PlayersRequest: {
    valve: "A2S_PLAYER",
    direction: "request",
    doc: "Requests the players. A request with challenge −1 requests a challenge.",
    sources: "000, 001, 003, 004",
    fields: [returnedChallenge]
  },
  PlayersReply: {
    valve: "S2A_PLAYER",
    direction: "reply",
    doc: "The players, in the order of the datagram. Incomplete entries are omitted.",
    sources: "000, 001, 003 (The Ship), 004",
    fast: true,
    fields: [
      {
        kind: "list",
        name: "players",
        doc: "The complete entries.",
        entryName: "player",
        max: MAX_PLAYERS,
        limit: "MAX_PLAYERS",
        count: {
          kind: "u8",
          name: "announced",
          doc: "The number of entries that the server announces, in one byte. Rust sends the count modulo 256; other games send at most 255."
        },
        entry: [
          { kind: "u8", name: "index", doc: "The player's index. Many games send 0 for all." },
          { kind: "text", name: "name", doc: "The player's name; empty if the game hides it." },
          { kind: "i32", name: "score", doc: "Kills or points; may be negative." },
          {
            kind: "f32",
            name: "duration",
            means: "seconds",
            doc: "Seconds on the server; −1 for bots of some engines."
          }
        ],
        appended: [
          { kind: "i32", name: "deaths", doc: "The Ship: deaths." },
          { kind: "i32", name: "money", doc: "The Ship: money." }
        ]
      }
    ]
  }
}
