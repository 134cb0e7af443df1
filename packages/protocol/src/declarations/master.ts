/** The master server, which lists game servers. */
import type { Declarations } from "./Declaration.ts"

const REGIONS = {
  0: "US east",
  1: "US west",
  2: "South America",
  3: "Europe",
  4: "Asia",
  5: "Australia",
  6: "Middle East",
  7: "Africa",
  255: "all of the world"
}

export const master: Declarations = {
  MasterRequest: {
    valve: "A2M_GET_SERVERS_BATCH2",
    direction: "request",
    doc: "Requests a page of addresses from a master server. The request does not start with FF FF FF FF.",
    sources: "Valve's master server protocol",
    bare: true,
    fields: [
      { kind: "u8", name: "region", values: REGIONS, doc: "Part of the world: 0 US east … 7 Africa, 255 all." },
      {
        kind: "text",
        name: "seed",
        doc: "`0.0.0.0:0` for the first page, otherwise the last address of the previous page."
      },
      {
        kind: "text",
        name: "filter",
        unterminated: "fine",
        doc: "Backslash-separated keys and values, as in `\\gamedir\\cstrike`."
      }
    ]
  },
  MasterChallenge: {
    valve: "master challenge",
    direction: "reply",
    doc: "A master's number for a game server that registers with this master. The game server returns the number together with its details.",
    sources: "the sources of xash3d-master; GoldSource masters send only the first number",
    fields: [
      { kind: "literal", name: "command", text: "s\n", doc: "The command." },
      { kind: "u32", name: "challenge", means: "challenge", doc: "The master's number." },
      {
        kind: "u32",
        name: "serverChallenge",
        means: "challenge",
        when: [{ left: "some" }],
        doc: "The number in the game server's request."
      }
    ]
  },
  MasterReply: {
    valve: "M2A_SERVER_BATCH",
    direction: "reply",
    doc: "A page of addresses.",
    sources: "Valve's master server protocol; captures of WON2 masters (two bytes of padding)",
    fields: [
      { kind: "literal", name: "newline", text: "\n", doc: "0x0A." },
      {
        kind: "addresses",
        name: "servers",
        end: "complete",
        doc: "The addresses of game servers: four bytes for the IP address and two bytes for the port, in network byte order. 0.0.0.0:0 ends the list."
      }
    ]
  }
}
