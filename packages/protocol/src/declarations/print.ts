/** Texts from the server: output of RCON commands, bans and rejections. */
import type { Declarations } from "./Declaration.ts"

/** Clean text: UTF-8 whose only control characters are tabs and line ends, followed by any number of NULs. */
const CLEAN = /* @__PURE__ */ (() =>
  String.raw`(?:[\t\n\r -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})*\0*$`)()

/**
 * Matches a four-byte number and the reason that follows it. The reason begins with a localization key (`#GameUI_…`), is a redirect, or is
 * clean text. If the four bytes and the reason together are clean text, these four bytes may be the beginning of the reason. In this case,
 * the pattern matches only a reason with a key or a redirect.
 */
const NUMBER_AND_REASON = /* @__PURE__ */ (() =>
  String.raw`^[\s\S]{4}(?:#[A-Za-z]+_|ConnectRedirectAddress:)|^(?!${CLEAN})[\s\S]{4}${CLEAN}`)()

export const print: Declarations = {
  PrintReply: {
    valve: "A2C_PRINT",
    direction: "reply",
    doc: "Text for a console: the output of a GoldSource RCON command. In reply to a query, the text reports a ban or a rate limit.",
    sources: "002; recordings of ReHLDS and HLTV",
    fields: [{ kind: "text", name: "text", unterminated: "fine", doc: "The text; lines end with a newline." }]
  },
  QuakePrint: {
    valve: "print",
    direction: "reply",
    doc: "Text for a console, from Xash3D and the descendants of Quake: the output of an RCON command. Xash3D sends one datagram per line.",
    sources: "recordings of Xash3D",
    fields: [
      { kind: "literal", name: "command", text: "print\n", doc: "The command." },
      { kind: "text", name: "text", unterminated: "fine", doc: "The text; lines end with a newline." }
    ]
  },
  ConnectionRejected: {
    valve: "S2C_CONNREJECT",
    direction: "reply",
    doc: "A rejection with its reason: an unknown RCON challenge, or a failed connect. `ConnectRedirectAddress:IP:PORT` sends the client to another server.",
    sources: "recordings of ReHLDS; public captures of Source 2013 and CS:GO servers",
    fields: [
      {
        kind: "i32",
        name: "clientChallenge",
        doc: "The client's number, copied from the connect request. Only Source 2013 sends it; CS:GO and GoldSource omit it.",
        when: [{ matches: NUMBER_AND_REASON, text: "if a number precedes the reason" }]
      },
      { kind: "text", name: "text", unterminated: "fine", doc: "The reason, as in `#GameUI_ServerRejectBadChallenge`." }
    ]
  }
}
