/** A2S_INFO: basic facts about the server. All servers support the same request, and reply in one of two dialects. */
import { appIdOfGameId } from "../internal/rules.ts"
import type { CodeNames, Declarations, Element } from "./Declaration.ts"

const SERVER_TYPES: CodeNames = {
  dedicated: [0x64, 0x44],
  listen: [0x6c, 0x4c],
  sourcetv: [0x70, 0x50],
  emulatedListen: [0x69, 0x49]
}
const ENVIRONMENTS: CodeNames = { linux: [0x6c, 0x4c], windows: [0x77, 0x57], mac: [0x6d, 0x6f, 0x4d, 0x4f] }
const SHIP_MODES: CodeNames = {
  hunt: [0],
  elimination: [1],
  duel: [2],
  deathmatch: [3],
  vipTeam: [4],
  teamElimination: [5]
}
/** The engine that uses each version of the network protocol. */
const PROTOCOLS = { 7: "older Source", 17: "Source", 47: "GoldSource", 48: "GoldSource" }

/** App id of The Ship. The Ship's INFO and PLAYER replies contain additional fields. */
const THE_SHIP_APP_ID = 2400

const serverType: Element = {
  kind: "code",
  name: "serverType",
  names: SERVER_TYPES,
  doc: "`d` dedicated, `l` listen, `p` SourceTV or HLTV relay, `i` listen server of a Steam emulator; in upper or lower case. Rag Doll Kung Fu sends 0."
}
const environment: Element = {
  kind: "code",
  name: "environment",
  names: ENVIRONMENTS,
  doc: "Operating system of the server: `l` Linux, `w` Windows, `m` or `o` macOS; in upper or lower case."
}
const passwordProtected: Element = {
  kind: "flag",
  name: "passwordProtected",
  doc: "Visibility: 1 if players need a password to join."
}
const vac: Element = { kind: "flag", name: "vac", doc: "1 if Valve Anti-Cheat is on." }

export const info: Declarations = {
  InfoRequest: {
    valve: "A2S_INFO",
    direction: "request",
    doc: "Requests basic facts about the server. Since 2021, a server may reply with a challenge. The client then repeats the request and appends the challenge.",
    sources: "000, 001, 003",
    fields: [
      {
        kind: "literal",
        name: "payload",
        text: "Source Engine Query\0",
        doc: "Always `Source Engine Query` and a NUL."
      },
      {
        kind: "i32",
        name: "challenge",
        means: "challenge",
        doc: "The number from S2C_CHALLENGE. The first request omits this field.",
        when: [{ left: "some" }]
      }
    ]
  },
  InfoReply: {
    valve: "S2A_INFO_SRC",
    direction: "reply",
    doc: "Basic facts about the server. Source and current GoldSource servers send this reply.",
    sources: "000 (ends after the version), 001, 003, 004",
    fast: true,
    rule: appIdOfGameId,
    fields: [
      {
        kind: "u8",
        name: "protocol",
        values: PROTOCOLS,
        doc: "Version of the network protocol: 17 Source, 7 older Source, 47 and 48 GoldSource."
      },
      { kind: "text", name: "name", doc: "Name of the server." },
      { kind: "text", name: "map", doc: "Map being played." },
      { kind: "text", name: "folder", doc: "Folder of the game, for example `cstrike`." },
      { kind: "text", name: "game", doc: "Full name of the game or of its mode." },
      {
        kind: "u16",
        name: "appId",
        doc: "Steam's number for the game. If the reply has a `gameId`, the decoded value is the low 24 bits of the `gameId`."
      },
      {
        kind: "u8",
        name: "players",
        doc: "Players on the server, often including bots. If there are more than 255 players, some servers send the number modulo 256, and others send 255."
      },
      { kind: "u8", name: "maxPlayers", doc: "Maximum number of players." },
      { kind: "u8", name: "bots", doc: "Bots on the server." },
      serverType,
      environment,
      passwordProtected,
      vac,
      {
        kind: "group",
        name: "theShip",
        doc: "Fields that only The Ship sends.",
        when: [{ field: "appId", equals: THE_SHIP_APP_ID }],
        fields: [
          { kind: "code", name: "mode", names: SHIP_MODES, doc: "Game mode." },
          { kind: "u8", name: "witnesses", doc: "Number of witnesses needed to arrest a player." },
          { kind: "u8", name: "duration", means: "seconds", doc: "Seconds until an observed player is arrested." }
        ]
      },
      { kind: "text", name: "version", unterminated: "truncated", doc: "Game version, for example `1.0.0.22`." },
      {
        kind: "bits",
        name: "edf",
        doc: "Extra data flags, as sent: the bits announce `port`, `steamId`, `sourceTv`, `keywords` and `gameId`. Replies of old servers end before this byte.",
        fields: [
          { bit: 0x80, element: { kind: "u16", name: "port", means: "port", doc: "The server's game port." } },
          { bit: 0x10, element: { kind: "u64", name: "steamId", means: "steamId", doc: "SteamID of the server." } },
          {
            bit: 0x40,
            element: {
              kind: "group",
              name: "sourceTv",
              doc: "The SourceTV server for spectators.",
              fields: [
                { kind: "u16", name: "port", means: "port", doc: "Port of SourceTV." },
                { kind: "text", name: "name", doc: "Name of SourceTV." }
              ]
            }
          },
          {
            bit: 0x20,
            element: { kind: "text", name: "keywords", doc: "Tags (`sv_tags`); some games pack their own data here." }
          },
          {
            bit: 0x01,
            element: {
              kind: "u64",
              name: "gameId",
              means: "gameId",
              doc: "64-bit game id; its low 24 bits are the app id."
            }
          }
        ]
      }
    ]
  },
  GoldSourceInfoReply: {
    valve: "S2A_INFO_DETAILED",
    direction: "reply",
    doc: "Basic facts about the server, in the older dialect, which GoldSource servers and HLTV proxies send. Some servers also send an InfoReply.",
    sources: "001, 002, 003; recordings of HLTV (omits the byte for bots; adds eight bytes if it has 255 slots)",
    fields: [
      { kind: "text", name: "address", doc: "Address and port of the server, from its own configuration." },
      { kind: "text", name: "name", doc: "Name of the server." },
      { kind: "text", name: "map", doc: "Map being played." },
      { kind: "text", name: "folder", doc: "Folder with the game's files." },
      { kind: "text", name: "game", doc: "Full name of the game." },
      { kind: "u8", name: "players", doc: "Players on the server, or spectators on an HLTV proxy." },
      { kind: "u8", name: "maxPlayers", doc: "Maximum number of players." },
      { kind: "u8", name: "protocol", values: PROTOCOLS, doc: "Version of the network protocol, 47 or 48." },
      serverType,
      environment,
      passwordProtected,
      { kind: "marker", name: "isMod", group: "mod", doc: "1 if the fields of `mod` follow." },
      {
        kind: "group",
        name: "mod",
        doc: "The mod that the server runs.",
        when: [{ field: "isMod", equals: 1 }],
        fields: [
          { kind: "text", name: "link", doc: "The mod's web page." },
          { kind: "text", name: "downloadLink", doc: "Download page of the mod." },
          {
            kind: "text",
            name: "reserved",
            omitEmpty: true,
            doc: "A text that real servers leave empty. The documents describe its NUL as a reserved byte."
          },
          { kind: "i32", name: "version", doc: "Version of the mod." },
          { kind: "i32", name: "size", doc: "Size of the mod on disk, in bytes." },
          {
            kind: "code",
            name: "type",
            names: { singleAndMultiplayer: [0], multiplayerOnly: [1] },
            doc: "Single-player and multiplayer, or only multiplayer."
          },
          {
            kind: "code",
            name: "dll",
            names: { halfLife: [0], own: [1] },
            doc: "Game library of the mod: Half-Life's, or its own."
          }
        ]
      },
      vac,
      {
        kind: "group",
        name: "hltv",
        doc: "Fields that only HLTV proxies with 255 slots send.",
        when: [
          { field: "serverType", equals: "sourcetv" },
          { left: "exactly", bytes: 8 }
        ],
        fields: [
          { kind: "u32", name: "spectators", doc: "Spectators on the proxy." },
          { kind: "u32", name: "slots", doc: "Maximum number of spectators." }
        ]
      },
      { kind: "u8", name: "bots", doc: "Bots on the server. HLTV omits this field.", when: [{ left: "some" }] }
    ]
  }
}
