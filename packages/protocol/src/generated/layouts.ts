/** Layouts of all messages. Generated from `src/declarations` by `pnpm generate`; not to be edited. */
import type { Layout } from "../declarations/Declaration.ts"
import { appIdOfGameId } from "../internal/rules.ts"

export const InfoRequest: Layout = { tag: "InfoRequest", type: 84, fields: [{ kind: "literal", name: "payload", text: "Source Engine Query\u0000", doc: "" }, { kind: "i32", name: "challenge", doc: "", when: [{ left: "some" }] }] }

export const InfoReply: Layout = { tag: "InfoReply", type: 73, rule: appIdOfGameId, fields: [{ kind: "u8", name: "protocol", doc: "" }, { kind: "text", name: "name", doc: "" }, { kind: "text", name: "map", doc: "" }, { kind: "text", name: "folder", doc: "" }, { kind: "text", name: "game", doc: "" }, { kind: "u16", name: "appId", doc: "" }, { kind: "u8", name: "players", doc: "" }, { kind: "u8", name: "maxPlayers", doc: "" }, { kind: "u8", name: "bots", doc: "" }, { kind: "code", name: "serverType", names: { dedicated: [100, 68], listen: [108, 76], sourcetv: [112, 80], emulatedListen: [105, 73] }, doc: "" }, { kind: "code", name: "environment", names: { linux: [108, 76], windows: [119, 87], mac: [109, 111, 77, 79] }, doc: "" }, { kind: "flag", name: "passwordProtected", doc: "" }, { kind: "flag", name: "vac", doc: "" }, { kind: "group", name: "theShip", doc: "", when: [{ field: "appId", equals: 2400 }], fields: [{ kind: "code", name: "mode", names: { hunt: [0], elimination: [1], duel: [2], deathmatch: [3], vipTeam: [4], teamElimination: [5] }, doc: "" }, { kind: "u8", name: "witnesses", doc: "" }, { kind: "u8", name: "duration", doc: "" }] }, { kind: "text", name: "version", unterminated: "truncated", doc: "" }, { kind: "bits", name: "edf", doc: "", fields: [{ bit: 128, element: { kind: "u16", name: "port", doc: "" } }, { bit: 16, element: { kind: "u64", name: "steamId", doc: "" } }, { bit: 64, element: { kind: "group", name: "sourceTv", doc: "", fields: [{ kind: "u16", name: "port", doc: "" }, { kind: "text", name: "name", doc: "" }] } }, { bit: 32, element: { kind: "text", name: "keywords", doc: "" } }, { bit: 1, element: { kind: "u64", name: "gameId", doc: "" } }] }] }

export const GoldSourceInfoReply: Layout = { tag: "GoldSourceInfoReply", type: 109, fields: [{ kind: "text", name: "address", doc: "" }, { kind: "text", name: "name", doc: "" }, { kind: "text", name: "map", doc: "" }, { kind: "text", name: "folder", doc: "" }, { kind: "text", name: "game", doc: "" }, { kind: "u8", name: "players", doc: "" }, { kind: "u8", name: "maxPlayers", doc: "" }, { kind: "u8", name: "protocol", doc: "" }, { kind: "code", name: "serverType", names: { dedicated: [100, 68], listen: [108, 76], sourcetv: [112, 80], emulatedListen: [105, 73] }, doc: "" }, { kind: "code", name: "environment", names: { linux: [108, 76], windows: [119, 87], mac: [109, 111, 77, 79] }, doc: "" }, { kind: "flag", name: "passwordProtected", doc: "" }, { kind: "marker", name: "isMod", group: "mod", doc: "" }, { kind: "group", name: "mod", doc: "", when: [{ field: "isMod", equals: 1 }], fields: [{ kind: "text", name: "link", doc: "" }, { kind: "text", name: "downloadLink", doc: "" }, { kind: "text", name: "reserved", omitEmpty: true, doc: "" }, { kind: "i32", name: "version", doc: "" }, { kind: "i32", name: "size", doc: "" }, { kind: "code", name: "type", names: { singleAndMultiplayer: [0], multiplayerOnly: [1] }, doc: "" }, { kind: "code", name: "dll", names: { halfLife: [0], own: [1] }, doc: "" }] }, { kind: "flag", name: "vac", doc: "" }, { kind: "group", name: "hltv", doc: "", when: [{ field: "serverType", equals: "sourcetv" }, { left: "exactly", bytes: 8 }], fields: [{ kind: "u32", name: "spectators", doc: "" }, { kind: "u32", name: "slots", doc: "" }] }, { kind: "u8", name: "bots", doc: "", when: [{ left: "some" }] }] }

export const PlayersRequest: Layout = { tag: "PlayersRequest", type: 85, fields: [{ kind: "i32", name: "challenge", doc: "", when: [{ left: "some" }] }] }

export const PlayersReply: Layout = { tag: "PlayersReply", type: 68, fields: [{ kind: "list", name: "players", doc: "", entryName: "player", max: 8192, limit: "MAX_PLAYERS", count: { kind: "u8", name: "announced", doc: "" }, entry: [{ kind: "u8", name: "index", doc: "" }, { kind: "text", name: "name", doc: "" }, { kind: "i32", name: "score", doc: "" }, { kind: "f32", name: "duration", doc: "" }], appended: [{ kind: "i32", name: "deaths", doc: "" }, { kind: "i32", name: "money", doc: "" }] }] }

export const RulesRequest: Layout = { tag: "RulesRequest", type: 86, fields: [{ kind: "i32", name: "challenge", doc: "", when: [{ left: "some" }] }] }

export const RulesReply: Layout = { tag: "RulesReply", type: 69, fields: [{ kind: "list", name: "rules", doc: "", entryName: "rule", max: 65535, limit: "MAX_RULES", count: { kind: "u16", name: "announced", doc: "" }, entry: [{ kind: "text", name: "name", doc: "" }, { kind: "text", name: "value", doc: "" }] }] }

export const GetChallengeRequest: Layout = { tag: "GetChallengeRequest", type: 87, fields: [] }

export const ChallengeReply: Layout = { tag: "ChallengeReply", type: 65, fields: [{ kind: "i32", name: "challenge", doc: "" }] }

export const PingRequest: Layout = { tag: "PingRequest", type: 105, fields: [] }

export const ProxyAgeRequest: Layout = { tag: "ProxyAgeRequest", type: undefined, fields: [{ kind: "literal", name: "command", text: "i\u0000sourcewire age", doc: "" }, { kind: "bytes", name: "padding", size: "rest", doc: "" }] }

export const PingReply: Layout = { tag: "PingReply", type: 106, fields: [{ kind: "text", name: "payload", unterminated: "fine", doc: "" }] }

export const PrintReply: Layout = { tag: "PrintReply", type: 108, fields: [{ kind: "text", name: "text", unterminated: "fine", doc: "" }] }

export const QuakePrint: Layout = { tag: "QuakePrint", type: undefined, fields: [{ kind: "literal", name: "command", text: "print\n", doc: "" }, { kind: "text", name: "text", unterminated: "fine", doc: "" }] }

export const ConnectionRejected: Layout = { tag: "ConnectionRejected", type: 57, fields: [{ kind: "i32", name: "clientChallenge", doc: "", when: [{ matches: "^[\\s\\S]{4}(?:#[A-Za-z]+_|ConnectRedirectAddress:)|^(?!(?:[\\t\\n\\r -~]|[\\xc2-\\xdf][\\x80-\\xbf]|[\\xe0-\\xef][\\x80-\\xbf]{2}|[\\xf0-\\xf4][\\x80-\\xbf]{3})*\\0*$)[\\s\\S]{4}(?:[\\t\\n\\r -~]|[\\xc2-\\xdf][\\x80-\\xbf]|[\\xe0-\\xef][\\x80-\\xbf]{2}|[\\xf0-\\xf4][\\x80-\\xbf]{3})*\\0*$", text: "if a number precedes the reason" }] }, { kind: "text", name: "text", unterminated: "fine", doc: "" }] }

export const RconChallengeRequest: Layout = { tag: "RconChallengeRequest", type: undefined, fields: [{ kind: "literal", name: "command", text: "challenge rcon", doc: "" }, { kind: "literal", name: "end", text: "\n\u0000", optional: true, doc: "" }] }

export const RconChallengeReply: Layout = { tag: "RconChallengeReply", type: undefined, fields: [{ kind: "literal", name: "command", text: "challenge rcon ", doc: "" }, { kind: "decimal", name: "challenge", doc: "" }, { kind: "literal", name: "end", text: "\n\u0000", optional: true, doc: "" }] }

export const RconRequest: Layout = { tag: "RconRequest", type: undefined, secret: true, fields: [{ kind: "literal", name: "verb", text: "rcon ", doc: "" }, { kind: "decimal", name: "challenge", optional: true, doc: "" }, { kind: "quoted", name: "password", doc: "" }, { kind: "text", name: "command", unterminated: "fine", doc: "" }] }

export const LogLine: Layout = { tag: "LogLine", type: 82, fields: [{ kind: "text", name: "line", unterminated: "fine", doc: "" }] }

export const SecretLogLine: Layout = { tag: "SecretLogLine", type: 83, secret: true, fields: [{ kind: "decimal", name: "secret", doc: "" }, { kind: "text", name: "line", unterminated: "fine", doc: "" }] }

export const GoldSourceLogLine: Layout = { tag: "GoldSourceLogLine", type: undefined, fields: [{ kind: "literal", name: "command", text: "log ", doc: "" }, { kind: "text", name: "line", unterminated: "fine", doc: "" }] }

export const MasterRequest: Layout = { tag: "MasterRequest", type: 49, bare: true, fields: [{ kind: "u8", name: "region", doc: "" }, { kind: "text", name: "seed", doc: "" }, { kind: "text", name: "filter", unterminated: "fine", doc: "" }] }

export const MasterChallenge: Layout = { tag: "MasterChallenge", type: undefined, fields: [{ kind: "literal", name: "command", text: "s\n", doc: "" }, { kind: "u32", name: "challenge", doc: "" }, { kind: "u32", name: "serverChallenge", when: [{ left: "some" }], doc: "" }] }

export const MasterReply: Layout = { tag: "MasterReply", type: 102, fields: [{ kind: "literal", name: "newline", text: "\n", doc: "" }, { kind: "addresses", name: "servers", end: "complete", doc: "" }] }

export const HandshakeRequest: Layout = { tag: "HandshakeRequest", type: 113, fields: [{ kind: "i32", name: "challenge", doc: "" }, { kind: "text", name: "payload", unterminated: "fine", doc: "" }] }

export const CsgoHandshakeRequest: Layout = { tag: "CsgoHandshakeRequest", type: 113, fields: [{ kind: "literal", name: "word", text: "connect0x", doc: "" }, { kind: "hexadecimal", name: "challenge", doc: "" }, { kind: "literal", name: "end", text: "\u0000", optional: true, doc: "" }] }

export const GoldSourceHandshakeRequest: Layout = { tag: "GoldSourceHandshakeRequest", type: undefined, fields: [{ kind: "literal", name: "command", text: "getchallenge", doc: "" }, { kind: "word", name: "argument", doc: "" }, { kind: "literal", name: "end", text: "\n\u0000", optional: true, doc: "" }] }

export const HandshakeChallenge: Layout = { tag: "HandshakeChallenge", type: 65, fields: [{ kind: "literal", name: "magic", text: "3IOZ", doc: "" }, { kind: "i32", name: "serverChallenge", doc: "" }, { kind: "i32", name: "clientChallenge", doc: "" }, { kind: "u32", name: "authProtocol", doc: "" }, { kind: "u16", name: "encryptionKeySize", doc: "", when: [{ field: "authProtocol", equals: 3 }] }, { kind: "bytes", name: "encryptionKey", size: { field: "encryptionKeySize" }, doc: "", when: [{ field: "authProtocol", equals: 3 }] }, { kind: "u64", name: "steamId", doc: "", when: [{ field: "authProtocol", equals: 3 }] }, { kind: "flag", name: "vac", doc: "", when: [{ field: "authProtocol", equals: 3 }] }, { kind: "bytes", name: "rest", size: "rest", doc: "", when: [{ field: "authProtocol", equals: 3 }] }] }

export const CsgoHandshakeChallenge: Layout = { tag: "CsgoHandshakeChallenge", type: 65, fields: [{ kind: "i32", name: "challenge", doc: "" }, { kind: "u32", name: "authProtocol", doc: "", range: { min: 1, max: 3 } }, { kind: "u16", name: "encryption", doc: "" }, { kind: "u64", name: "steamId", doc: "" }, { kind: "flag", name: "vac", doc: "" }, { kind: "text", name: "context", doc: "" }, { kind: "u32", name: "hostVersion", doc: "" }, { kind: "text", name: "lobbyType", doc: "" }, { kind: "flag", name: "passwordRequired", doc: "" }, { kind: "u64", name: "lobbyId", doc: "" }, { kind: "flag", name: "friendsRequired", doc: "" }, { kind: "flag", name: "valveServer", doc: "" }, { kind: "flag", name: "certificateRequired", doc: "", when: [{ left: "some" }] }, { kind: "u32", name: "publicKeySize", doc: "", when: [{ field: "certificateRequired", equals: true }] }, { kind: "bytes", name: "publicKey", size: { field: "publicKeySize" }, doc: "", when: [{ field: "certificateRequired", equals: true }] }, { kind: "u32", name: "signatureSize", doc: "", when: [{ field: "certificateRequired", equals: true }] }, { kind: "bytes", name: "signature", size: { field: "signatureSize" }, doc: "", when: [{ field: "certificateRequired", equals: true }] }] }

export const GoldSourceHandshakeChallenge: Layout = { tag: "GoldSourceHandshakeChallenge", type: 65, fields: [{ kind: "literal", name: "zeros", text: "00000000 ", doc: "" }, { kind: "decimal", name: "serverChallenge", doc: "" }, { kind: "literal", name: "blank", text: " ", doc: "" }, { kind: "decimal", name: "authProtocol", doc: "" }, { kind: "literal", name: "secondBlank", text: " ", doc: "", when: [{ field: "authProtocol", equals: 3 }] }, { kind: "decimal", name: "steamId", as: "u64", doc: "", when: [{ field: "authProtocol", equals: 3 }] }, { kind: "literal", name: "thirdBlank", text: " ", doc: "", when: [{ field: "authProtocol", equals: 3 }] }, { kind: "decimal", name: "vac", as: "flag", doc: "", when: [{ field: "authProtocol", equals: 3 }] }, { kind: "literal", name: "end", text: "\n\u0000", optional: true, doc: "" }] }

export const ConnectRequest: Layout = { tag: "ConnectRequest", type: 107, secret: true, fields: [{ kind: "u32", name: "protocolVersion", range: { min: 0, max: 255 }, doc: "" }, { kind: "u32", name: "authProtocol", doc: "" }, { kind: "i32", name: "serverChallenge", doc: "" }, { kind: "i32", name: "clientChallenge", doc: "" }, { kind: "text", name: "name", doc: "" }, { kind: "text", name: "password", doc: "" }, { kind: "text", name: "version", doc: "" }, { kind: "text", name: "hashedKey", doc: "", when: [{ field: "authProtocol", equals: 2 }] }, { kind: "u16", name: "ticketSize", doc: "", when: [{ field: "authProtocol", equals: 3 }] }, { kind: "bytes", name: "ticket", size: { field: "ticketSize" }, doc: "", when: [{ field: "authProtocol", equals: 3 }] }] }

export const CsgoConnectRequest: Layout = { tag: "CsgoConnectRequest", type: 107, secret: true, fields: [{ kind: "u32", name: "hostVersion", range: { min: 256, max: 4294967295 }, doc: "" }, { kind: "u32", name: "authProtocol", doc: "", range: { min: 1, max: 3 } }, { kind: "i32", name: "challenge", doc: "" }, { kind: "text", name: "name", doc: "" }, { kind: "text", name: "password", doc: "" }, { kind: "u8", name: "players", doc: "" }, { kind: "bytes", name: "rest", size: "rest", doc: "" }] }

export const ConnectionAccepted: Layout = { tag: "ConnectionAccepted", type: 66, fields: [{ kind: "bytes", name: "payload", size: "rest", doc: "", when: [{ misses: "^[\\s\\S]{4}[ -~]*\\0*$", text: "if the bytes after the type are not a number and a text" }] }, { kind: "i32", name: "clientChallenge", doc: "", when: [{ left: "some" }] }, { kind: "text", name: "text", unterminated: "fine", doc: "", when: [{ left: "some" }] }] }

export const ConnectionMessage: Layout = { tag: "ConnectionMessage", type: undefined, bare: true, fields: [{ kind: "i32", name: "messageId", doc: "" }, { kind: "i32", name: "responseId", doc: "" }, { kind: "u8", name: "type", doc: "" }, { kind: "bytes", name: "payload", size: "rest", doc: "" }] }

export const UnknownMessage: Layout = { tag: "UnknownMessage", type: undefined, fields: [{ kind: "u8", name: "type", doc: "" }, { kind: "bytes", name: "payload", size: "rest", doc: "" }] }
