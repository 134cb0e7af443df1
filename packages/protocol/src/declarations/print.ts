/** Texts from the server: output of RCON commands, bans and refusals. */
import type { Declarations } from "./Declaration.ts"

/** Text in UTF-8 without control characters other than tab and line ends, then at most NULs. */
const CLEAN = /* @__PURE__ */ (() =>
  String.raw`(?:[\t\n\r -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})*\0*$`)()

/**
 * A number in front of a reason. What follows four bytes is one of the reasons that games know by a name (`#GameUI_…`) or a redirect; or it
 * is clean text, which the whole is not.
 */
const NUMBER_AND_REASON = /* @__PURE__ */ (() =>
  String.raw`^[\s\S]{4}(?:#[A-Za-z]+_|ConnectRedirectAddress:)|^(?!${CLEAN})[\s\S]{4}${CLEAN}`)()

export const print: Declarations = {
  PrintReply: {
    valve: "A2C_PRINT",
    direction: "reply",
    doc: "Text for a console: the output of a GoldSource RCON command; as answer to a query a ban or rate limit.",
    sources: "002; recordings of ReHLDS and HLTV",
    fields: [{ kind: "text", name: "text", unterminated: "fine", doc: "The text; lines end with a newline." }]
  },
  QuakePrint: {
    valve: "print",
    direction: "reply",
    doc: "Text for a console from Xash3D and the descendants of Quake: the output of an RCON command, on Xash3D one datagram per line.",
    sources: "recordings of Xash3D",
    fields: [
      { kind: "literal", name: "command", text: "print\n", doc: "The command." },
      { kind: "text", name: "text", unterminated: "fine", doc: "The text; lines end with a newline." }
    ]
  },
  ConnectionRejected: {
    valve: "S2C_CONNREJECT",
    direction: "reply",
    doc: "A refusal with its reason: an RCON challenge that the server does not know, a failed connect. `ConnectRedirectAddress:IP:PORT` sends the client to another server.",
    sources: "recordings of ReHLDS; public captures of Source 2013 and CS:GO servers",
    fields: [
      {
        kind: "i32",
        name: "clientChallenge",
        doc: "The client's number: Source 2013 repeats it in front of the reason; CS:GO and GoldSource don't.",
        when: [{ matches: NUMBER_AND_REASON, said: "if a number stands in front of the reason" }]
      },
      { kind: "text", name: "text", unterminated: "fine", doc: "The reason, as in `#GameUI_ServerRejectBadChallenge`." }
    ]
  }
}
