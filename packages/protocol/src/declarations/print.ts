/** Texts from the server: output of RCON commands, bans and refusals. */
import type { Declarations } from "./Declaration.ts"

export const print: Declarations = {
  PrintReply: {
    valve: "A2C_PRINT",
    direction: "reply",
    doc: "Text for a console: the output of a GoldSource RCON command; as answer to a query a ban or rate limit.",
    sources: "002; recordings of ReHLDS and HLTV",
    fields: [{ kind: "text", name: "text", unterminated: "fine", doc: "The text; lines end with a newline." }]
  },
  ConnectionRejected: {
    valve: "S2C_CONNREJECT",
    direction: "reply",
    doc: "A refusal with its reason: an RCON challenge that the server does not know, a failed connect.",
    sources: "recordings of ReHLDS",
    fields: [{ kind: "text", name: "text", unterminated: "fine", doc: "The reason." }]
  }
}
