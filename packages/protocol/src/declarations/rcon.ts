/** Remote commands over UDP (GoldSource RCON): text commands after FF FF FF FF. */
import type { Declarations, Element } from "./Declaration.ts"

const lineEnd: Element = {
  kind: "literal",
  name: "end",
  text: "\n\0",
  optional: true,
  doc: "Newline and NUL; both may be missing."
}

export const rcon: Declarations = {
  RconChallengeRequest: {
    valve: "challenge rcon",
    direction: "request",
    doc: "Requests the number that RCON commands must contain.",
    sources: "002; recordings of ReHLDS",
    fields: [{ kind: "literal", name: "command", text: "challenge rcon", doc: "The command." }, lineEnd]
  },
  RconChallengeReply: {
    valve: "challenge rcon",
    direction: "reply",
    doc: "The number that RCON commands must contain. It depends on the client's address. It is valid for 60 minutes on HLDS and for half a minute on HLTV.",
    sources: "002; recordings of ReHLDS and HLTV",
    fields: [
      { kind: "literal", name: "command", text: "challenge rcon ", doc: "The command of the request." },
      { kind: "decimal", name: "challenge", doc: "The number, unsigned, in decimal digits." },
      lineEnd
    ]
  },
  RconRequest: {
    valve: "rcon",
    direction: "request",
    doc: "A remote command. The password is not encrypted.",
    sources: "002; recordings of ReHLDS; recordings of Xash3D (without challenge)",
    secret: true,
    fields: [
      { kind: "literal", name: "verb", text: "rcon ", doc: "The command." },
      {
        kind: "decimal",
        name: "challenge",
        optional: true,
        doc: "The number from the server's reply. Xash3D and Quake do not use challenges."
      },
      { kind: "quoted", name: "password", doc: "The password." },
      { kind: "text", name: "command", unterminated: "fine", doc: "The command line to run." }
    ]
  }
}
