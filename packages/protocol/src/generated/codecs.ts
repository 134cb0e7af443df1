/** Interfaces and codecs of all messages, and straight-line decoders of the frequent replies. Generated from `src/declarations` by `pnpm generate`; not to be edited. */
import { toChars, type Codec, f32, isAscii, make, u64 } from "../Codec.ts"
import * as layouts from "./layouts.ts"
import { foreign, foreignText, takeExtras } from "../internal/foreignText.ts"
import { resolveAppId } from "../internal/rules.ts"
import type { Encoding } from "../Text.ts"

/** A2S_INFO: Requests basic facts about the server. Since 2021, a server may reply with a challenge. The client then repeats the request and appends the challenge. Documents: 000, 001, 003. */
export interface InfoRequest {
  readonly _tag: "InfoRequest"
  /** The number from S2C_CHALLENGE. The first request omits this field. */
  readonly challenge?: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** Fields that only The Ship sends. */
export interface TheShip {
  /** Game mode. */
  readonly mode: "hunt" | "elimination" | "duel" | "deathmatch" | "vipTeam" | "teamElimination" | number
  /** Number of witnesses needed to arrest a player. */
  readonly witnesses: number
  /** Seconds until an observed player is arrested. */
  readonly duration: number
}

/** The SourceTV server for spectators. */
export interface SourceTv {
  /** Port of SourceTV. */
  readonly port: number
  /** Name of SourceTV. */
  readonly name: string
  /** Bytes of `name` as hex, if they cannot be restored from the text. */
  readonly nameHex?: string
}

/** S2A_INFO_SRC: Basic facts about the server. Source and current GoldSource servers send this reply. Documents: 000 (ends after the version), 001, 003, 004. */
export interface InfoReply {
  readonly _tag: "InfoReply"
  /** Version of the network protocol: 17 Source, 7 older Source, 47 and 48 GoldSource. */
  readonly protocol: number
  /** Name of the server. */
  readonly name: string
  /** Map being played. */
  readonly map: string
  /** Folder of the game, for example `cstrike`. */
  readonly folder: string
  /** Full name of the game or of its mode. */
  readonly game: string
  /** Steam's number for the game. If the reply has a `gameId`, the decoded value is the low 24 bits of the `gameId`. */
  readonly appId: number
  /** Players on the server, often including bots. If there are more than 255 players, some servers send the number modulo 256, and others send 255. */
  readonly players: number
  /** Maximum number of players. */
  readonly maxPlayers: number
  /** Bots on the server. */
  readonly bots: number
  /** `d` dedicated, `l` listen, `p` SourceTV or HLTV relay, `i` listen server of a Steam emulator; in upper or lower case. Rag Doll Kung Fu sends 0. */
  readonly serverType: "dedicated" | "listen" | "sourcetv" | "emulatedListen" | number
  /** Operating system of the server: `l` Linux, `w` Windows, `m` or `o` macOS; in upper or lower case. */
  readonly environment: "linux" | "windows" | "mac" | number
  /** Visibility: 1 if players need a password to join. */
  readonly passwordProtected: boolean
  /** 1 if Valve Anti-Cheat is on. */
  readonly vac: boolean
  /** Fields that only The Ship sends. */
  readonly theShip?: TheShip
  /** Game version, for example `1.0.0.22`. */
  readonly version: string
  /** The server's game port. */
  readonly port?: number
  /** SteamID of the server. */
  readonly steamId?: string
  /** The SourceTV server for spectators. */
  readonly sourceTv?: SourceTv
  /** Tags (`sv_tags`); some games pack their own data here. */
  readonly keywords?: string
  /** 64-bit game id; its low 24 bits are the app id. */
  readonly gameId?: string
  /** Whether the reply is truncated: an announced part is missing or incomplete. */
  readonly truncated?: true
  /** Bytes of `name` as hex, if they cannot be restored from the text. */
  readonly nameHex?: string
  /** Bytes of `map` as hex, if they cannot be restored from the text. */
  readonly mapHex?: string
  /** Bytes of `folder` as hex, if they cannot be restored from the text. */
  readonly folderHex?: string
  /** Bytes of `game` as hex, if they cannot be restored from the text. */
  readonly gameHex?: string
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly passwordProtectedCode?: number
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly vacCode?: number
  /** Bytes of `version` as hex, if they cannot be restored from the text. */
  readonly versionHex?: string
  /** Extra data flags, as sent: the bits announce `port`, `steamId`, `sourceTv`, `keywords` and `gameId`. Replies of old servers end before this byte. */
  readonly edf?: number
  /** Bytes of `keywords` as hex, if they cannot be restored from the text. */
  readonly keywordsHex?: string
  /** The 16-bit app id as sent, if it differs from the low 16 bits of `appId`. Many servers send 0. */
  readonly appId16?: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** The mod that the server runs. */
export interface GoldSourceMod {
  /** The mod's web page. */
  readonly link: string
  /** Download page of the mod. */
  readonly downloadLink: string
  /** A text that real servers leave empty. The documents describe its NUL as a reserved byte. */
  readonly reserved?: string
  /** Version of the mod. */
  readonly version: number
  /** Size of the mod on disk, in bytes. */
  readonly size: number
  /** Single-player and multiplayer, or only multiplayer. */
  readonly type: "singleAndMultiplayer" | "multiplayerOnly" | number
  /** Game library of the mod: Half-Life's, or its own. */
  readonly dll: "halfLife" | "own" | number
  /** Bytes of `link` as hex, if they cannot be restored from the text. */
  readonly linkHex?: string
  /** Bytes of `downloadLink` as hex, if they cannot be restored from the text. */
  readonly downloadLinkHex?: string
  /** Bytes of `reserved` as hex, if they cannot be restored from the text. */
  readonly reservedHex?: string
}

/** Fields that only HLTV proxies with 255 slots send. */
export interface HltvSlots {
  /** Spectators on the proxy. */
  readonly spectators: number
  /** Maximum number of spectators. */
  readonly slots: number
}

/** S2A_INFO_DETAILED: Basic facts about the server, in the older dialect, which GoldSource servers and HLTV proxies send. Some servers also send an InfoReply. Documents: 001, 002, 003; recordings of HLTV (omits the byte for bots; adds eight bytes if it has 255 slots). */
export interface GoldSourceInfoReply {
  readonly _tag: "GoldSourceInfoReply"
  /** Address and port of the server, from its own configuration. */
  readonly address: string
  /** Name of the server. */
  readonly name: string
  /** Map being played. */
  readonly map: string
  /** Folder with the game's files. */
  readonly folder: string
  /** Full name of the game. */
  readonly game: string
  /** Players on the server, or spectators on an HLTV proxy. */
  readonly players: number
  /** Maximum number of players. */
  readonly maxPlayers: number
  /** Version of the network protocol, 47 or 48. */
  readonly protocol: number
  /** `d` dedicated, `l` listen, `p` SourceTV or HLTV relay, `i` listen server of a Steam emulator; in upper or lower case. Rag Doll Kung Fu sends 0. */
  readonly serverType: "dedicated" | "listen" | "sourcetv" | "emulatedListen" | number
  /** Operating system of the server: `l` Linux, `w` Windows, `m` or `o` macOS; in upper or lower case. */
  readonly environment: "linux" | "windows" | "mac" | number
  /** Visibility: 1 if players need a password to join. */
  readonly passwordProtected: boolean
  /** The mod that the server runs. */
  readonly mod?: GoldSourceMod
  /** 1 if Valve Anti-Cheat is on. */
  readonly vac: boolean
  /** Fields that only HLTV proxies with 255 slots send. */
  readonly hltv?: HltvSlots
  /** Bots on the server. HLTV omits this field. */
  readonly bots?: number
  /** Bytes of `address` as hex, if they cannot be restored from the text. */
  readonly addressHex?: string
  /** Bytes of `name` as hex, if they cannot be restored from the text. */
  readonly nameHex?: string
  /** Bytes of `map` as hex, if they cannot be restored from the text. */
  readonly mapHex?: string
  /** Bytes of `folder` as hex, if they cannot be restored from the text. */
  readonly folderHex?: string
  /** Bytes of `game` as hex, if they cannot be restored from the text. */
  readonly gameHex?: string
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly passwordProtectedCode?: number
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly isModCode?: number
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly vacCode?: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A2S_PLAYER: Requests the players. A request with challenge −1 requests a challenge. Documents: 000, 001, 003, 004. */
export interface PlayersRequest {
  readonly _tag: "PlayersRequest"
  /** The challenge from S2C_CHALLENGE, or −1 to request a challenge. Some clients omit this field. */
  readonly challenge?: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** One player of a list. */
export interface Player {
  /** The player's index. Many games send 0 for all. */
  readonly index: number
  /** The player's name; empty if the game hides it. */
  readonly name: string
  /** Kills or points; may be negative. */
  readonly score: number
  /** Seconds on the server; −1 for bots of some engines. */
  readonly duration: number
  /** The Ship: deaths. */
  readonly deaths?: number
  /** The Ship: money. */
  readonly money?: number
  /** Bytes of `name` as hex, if they cannot be restored from the text. */
  readonly nameHex?: string
}

/** S2A_PLAYER: The players, in the order of the datagram. Incomplete entries are omitted. Documents: 000, 001, 003 (The Ship), 004. */
export interface PlayersReply {
  readonly _tag: "PlayersReply"
  /** The number of entries that the server announces, in one byte. Rust sends the count modulo 256; other games send at most 255. */
  readonly announced: number
  /** The complete entries. */
  readonly players: ReadonlyArray<Player>
  /** Whether the reply is truncated: an announced part is missing or incomplete. */
  readonly truncated: boolean
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A2S_RULES: Requests the rules. A request with challenge −1 requests a challenge. Documents: 000, 001, 003, 004. */
export interface RulesRequest {
  readonly _tag: "RulesRequest"
  /** The challenge from S2C_CHALLENGE, or −1 to request a challenge. Some clients omit this field. */
  readonly challenge?: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** One rule of a list. */
export interface Rule {
  /** Name of the console variable. */
  readonly name: string
  /** Value of the console variable, as sent. */
  readonly value: string
  /** Bytes of `name` as hex, if they cannot be restored from the text. */
  readonly nameHex?: string
  /** Bytes of `value` as hex, if they cannot be restored from the text. */
  readonly valueHex?: string
}

/** S2A_RULES: The rules, in the order of the datagram. Duplicates are included, and values are not changed. Documents: 000, 001, 003, 004; recordings of Xash3D (the count is 0, although rules follow). */
export interface RulesReply {
  readonly _tag: "RulesReply"
  /** The number of entries that the server announces. */
  readonly announced: number
  /** The complete entries. */
  readonly rules: ReadonlyArray<Rule>
  /** Whether the reply is truncated: an announced part is missing or incomplete. */
  readonly truncated: boolean
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A2S_SERVERQUERY_GETCHALLENGE: Requests a challenge. Obsolete: only old engines reply. Documents: 000, 001, 002 (also names the type 'i', which is A2A_PING), 003. */
export interface GetChallengeRequest {
  readonly _tag: "GetChallengeRequest"
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** S2C_CHALLENGE: Contains the number that the client must send in its next request. 0 and negative numbers are valid. Documents: 000 (its example with five FF is malformed), 001, 002, 003, 004. */
export interface ChallengeReply {
  readonly _tag: "ChallengeReply"
  /** The challenge. */
  readonly challenge: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A2A_PING: Checks whether the server replies. Obsolete, but GoldSource engines support it. Documents: 001, 002, 003. */
export interface PingRequest {
  readonly _tag: "PingRequest"
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** sourcewire age: Requests the ages of the replies that a Sourcewire proxy has stored. The request is a ping with a text after its NUL. A game server treats the request as a ping or ignores it. A proxy replies with a PingReply whose payload contains the ages of INFO, PLAYER and RULES, in ms. Documents: Sourcewire's proxy. */
export interface ProxyAgeRequest {
  readonly _tag: "ProxyAgeRequest"
  /** NULs, so that the reply is no larger than the request. */
  readonly padding: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A2A_ACK: The reply to a ping. Documents: 001 (with and without payload), 002 (five bytes), 003; recordings of HLTV (padded to 1400 bytes). */
export interface PingReply {
  readonly _tag: "PingReply"
  /** Empty on GoldSource, `00000000000000` on Source. */
  readonly payload: string
  /** Bytes of `payload` as hex, if they cannot be restored from the text. */
  readonly payloadHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A2C_PRINT: Text for a console: the output of a GoldSource RCON command. In reply to a query, the text reports a ban or a rate limit. Documents: 002; recordings of ReHLDS and HLTV. */
export interface PrintReply {
  readonly _tag: "PrintReply"
  /** The text; lines end with a newline. */
  readonly text: string
  /** Bytes of `text` as hex, if they cannot be restored from the text. */
  readonly textHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** print: Text for a console, from Xash3D and the descendants of Quake: the output of an RCON command. Xash3D sends one datagram per line. Documents: recordings of Xash3D. */
export interface QuakePrint {
  readonly _tag: "QuakePrint"
  /** The text; lines end with a newline. */
  readonly text: string
  /** Bytes of `text` as hex, if they cannot be restored from the text. */
  readonly textHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** S2C_CONNREJECT: A rejection with its reason: an unknown RCON challenge, or a failed connect. `ConnectRedirectAddress:IP:PORT` sends the client to another server. Documents: recordings of ReHLDS; public captures of Source 2013 and CS:GO servers. */
export interface ConnectionRejected {
  readonly _tag: "ConnectionRejected"
  /** The client's number, copied from the connect request. Only Source 2013 sends it; CS:GO and GoldSource omit it. */
  readonly clientChallenge?: number
  /** The reason, as in `#GameUI_ServerRejectBadChallenge`. */
  readonly text: string
  /** Bytes of `text` as hex, if they cannot be restored from the text. */
  readonly textHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** challenge rcon: Requests the number that RCON commands must contain. Documents: 002; recordings of ReHLDS. */
export interface RconChallengeRequest {
  readonly _tag: "RconChallengeRequest"
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** challenge rcon: The number that RCON commands must contain. It depends on the client's address. It is valid for 60 minutes on HLDS and for half a minute on HLTV. Documents: 002; recordings of ReHLDS and HLTV. */
export interface RconChallengeReply {
  readonly _tag: "RconChallengeReply"
  /** The number, unsigned, in decimal digits. */
  readonly challenge: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** rcon: A remote command. The password is not encrypted. Documents: 002; recordings of ReHLDS; recordings of Xash3D (without challenge). */
export interface RconRequest {
  readonly _tag: "RconRequest"
  /** The number from the server's reply. Xash3D and Quake do not use challenges. */
  readonly challenge?: number
  /** The password. */
  readonly password: string
  /** The command line to run. */
  readonly command: string
  /** Bytes of `password` as hex, if they cannot be restored from the text. */
  readonly passwordHex?: string
  /** Bytes of `command` as hex, if they cannot be restored from the text. */
  readonly commandHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** S2A_LOGSTRING: A line of a Source server's log. Documents: captures of log lines. */
export interface LogLine {
  readonly _tag: "LogLine"
  /** The unchanged line with a newline at its end, for example `L 06/28/2025 - 08:42:47: World triggered "Round_Start"`. */
  readonly line: string
  /** Bytes of `line` as hex, if they cannot be restored from the text. */
  readonly lineHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** S2A_LOGSTRING2: A log line of a Source server that sets `sv_logsecret`. The secret proves the origin of the line. Documents: captures of log lines. */
export interface SecretLogLine {
  readonly _tag: "SecretLogLine"
  /** The value of `sv_logsecret`. */
  readonly secret: number
  /** The unchanged line with a newline at its end, for example `L 06/28/2025 - 08:42:47: World triggered "Round_Start"`. */
  readonly line: string
  /** Bytes of `line` as hex, if they cannot be restored from the text. */
  readonly lineHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** log: A line of a GoldSource server's log: the text command `log` and the line. Documents: captures of log lines. */
export interface GoldSourceLogLine {
  readonly _tag: "GoldSourceLogLine"
  /** The unchanged line with a newline at its end, for example `L 06/28/2025 - 08:42:47: World triggered "Round_Start"`. */
  readonly line: string
  /** Bytes of `line` as hex, if they cannot be restored from the text. */
  readonly lineHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A2M_GET_SERVERS_BATCH2: Requests a page of addresses from a master server. The request does not start with FF FF FF FF. Documents: Valve's master server protocol. */
export interface MasterRequest {
  readonly _tag: "MasterRequest"
  /** Part of the world: 0 US east … 7 Africa, 255 all. */
  readonly region: number
  /** `0.0.0.0:0` for the first page, otherwise the last address of the previous page. */
  readonly seed: string
  /** Backslash-separated keys and values, as in `\gamedir\cstrike`. */
  readonly filter: string
  /** Bytes of `seed` as hex, if they cannot be restored from the text. */
  readonly seedHex?: string
  /** Bytes of `filter` as hex, if they cannot be restored from the text. */
  readonly filterHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** master challenge: A master's number for a game server that registers with this master. The game server returns the number together with its details. Documents: the sources of xash3d-master; GoldSource masters send only the first number. */
export interface MasterChallenge {
  readonly _tag: "MasterChallenge"
  /** The master's number. */
  readonly challenge: number
  /** The number in the game server's request. */
  readonly serverChallenge?: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** M2A_SERVER_BATCH: A page of addresses. Documents: Valve's master server protocol; captures of WON2 masters (two bytes of padding). */
export interface MasterReply {
  readonly _tag: "MasterReply"
  /** The addresses of game servers: four bytes for the IP address and two bytes for the port, in network byte order. 0.0.0.0:0 ends the list. */
  readonly servers: ReadonlyArray<string>
  /** Whether the list ends on this page. If so, no further page follows. */
  readonly complete: boolean
  /** Bytes before the list, as hex. */
  readonly padding?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A2S_GETCHALLENGE: Starts the handshake with a Source server, in the form of Source 2013. Documents: 004; public captures of Source 2013 servers. */
export interface HandshakeRequest {
  readonly _tag: "HandshakeRequest"
  /** A number that the client chooses and the reply repeats. */
  readonly challenge: number
  /** Clients send `0000000000`. */
  readonly payload: string
  /** Bytes of `payload` as hex, if they cannot be restored from the text. */
  readonly payloadHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A2S_GETCHALLENGE (CS:GO): Starts the handshake with a CS:GO server. The word `connect` after the type byte distinguishes this request from a request in the form of Source 2013. Documents: public captures and published descriptions of CS:GO servers. */
export interface CsgoHandshakeRequest {
  readonly _tag: "CsgoHandshakeRequest"
  /** The challenge from the server's previous reply; 00000000 in the first request. */
  readonly challenge: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** getchallenge: Starts the handshake with a GoldSource server. The request is text after FF FF FF FF. Documents: recordings of ReHLDS, HLTV and Xash3D. */
export interface GoldSourceHandshakeRequest {
  readonly _tag: "GoldSourceHandshakeRequest"
  /** `steam` from clients that use Steam. */
  readonly argument?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** S2C_CHALLENGE (Source 2013): The reply to a handshake request. It has the same type byte as the S2C_CHALLENGE of a query; the magic number distinguishes the two messages. Relays, LAN servers and servers without Steam use authentication protocol 2. Their reply ends after the field `authProtocol`, at byte 21. Documents: 004; public captures of Source 2013 servers. */
export interface HandshakeChallenge {
  readonly _tag: "HandshakeChallenge"
  /** A new challenge from the server. */
  readonly serverChallenge: number
  /** The client's number, copied from the handshake request. */
  readonly clientChallenge: number
  /** How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam. */
  readonly authProtocol: number
  /** Size of the key that follows, in bytes. Current servers send 0. */
  readonly encryptionKeySize?: number
  /** The key. */
  readonly encryptionKey?: string
  /** SteamID of the server. */
  readonly steamId?: string
  /** 1 if Valve Anti-Cheat is on. */
  readonly vac?: boolean
  /** Padding. Known servers send `000000` and a NUL. */
  readonly rest?: string
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly vacCode?: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** S2C_CHALLENGE (CS:GO): The reply of a CS:GO server to a handshake request. It has no magic number and does not repeat the client's number. Documents: public captures and published descriptions of CS:GO servers. */
export interface CsgoHandshakeChallenge {
  readonly _tag: "CsgoHandshakeChallenge"
  /** The server's challenge. */
  readonly challenge: number
  /** How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam. */
  readonly authProtocol: number
  /** Whether Steam's old encryption is on. Current servers send 0. */
  readonly encryption: number
  /** SteamID of the server. */
  readonly steamId: string
  /** 1 if Valve Anti-Cheat is on. */
  readonly vac: boolean
  /** The next step for the client. If this field repeats the text of the request, the client may connect. `connect-retry`: repeat the request with the challenge of this reply. `connect-lan-only`: only LAN clients can join. `connect-matchmaking-only`: only clients from matchmaking can join. */
  readonly context: string
  /** Version of the server's program. */
  readonly hostVersion: number
  /** Type of the lobby, for example `public`. Empty if there is no lobby. */
  readonly lobbyType: string
  /** 1 if players need a password to join. */
  readonly passwordRequired: boolean
  /** Id of the lobby; 0 or 2^64 − 1 if there is no lobby. */
  readonly lobbyId: string
  /** 1 if only friends may connect directly. */
  readonly friendsRequired: boolean
  /** 1 on Valve's own servers. */
  readonly valveServer: boolean
  /** 1 if players need a certificate to join. Older servers omit this field. */
  readonly certificateRequired?: boolean
  /** Size of `publicKey`, in bytes. */
  readonly publicKeySize?: number
  /** The public key of the certificate. */
  readonly publicKey?: string
  /** Size of `signature`, in bytes. */
  readonly signatureSize?: number
  /** The signature of the certificate. */
  readonly signature?: string
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly vacCode?: number
  /** Bytes of `context` as hex, if they cannot be restored from the text. */
  readonly contextHex?: string
  /** Bytes of `lobbyType` as hex, if they cannot be restored from the text. */
  readonly lobbyTypeHex?: string
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly passwordRequiredCode?: number
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly friendsRequiredCode?: number
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly valveServerCode?: number
  /** The byte as sent, if it is neither 0 nor 1. */
  readonly certificateRequiredCode?: number
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** S2C_CHALLENGE (GoldSource): The reply of a GoldSource server to `getchallenge`: the type byte, then text. Eight zeros distinguish this reply from other messages with the same type byte. Documents: recordings of ReHLDS and HLTV. */
export interface GoldSourceHandshakeChallenge {
  readonly _tag: "GoldSourceHandshakeChallenge"
  /** The server's challenge, unsigned. */
  readonly serverChallenge: number
  /** How the server authenticates users: 2 hashed CD key, 3 Steam. */
  readonly authProtocol: number
  /** SteamID of the server. */
  readonly steamId?: string
  /** 1 if Valve Anti-Cheat is on. */
  readonly vac?: boolean
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** C2S_CONNECT: Requests to join a Source 2013 server. The first number is the protocol version, which is below 256. In CS:GO's form, the first number is the version of the program, which is above 255. Documents: 004; public captures of Source 2013 servers. */
export interface ConnectRequest {
  readonly _tag: "ConnectRequest"
  /** Version of the network protocol: 24 in Source 2013. */
  readonly protocolVersion: number
  /** How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam. */
  readonly authProtocol: number
  /** The server's challenge, from its reply to the handshake request. */
  readonly serverChallenge: number
  /** The client's number, as in its handshake request. */
  readonly clientChallenge: number
  /** Name of the player. */
  readonly name: string
  /** The server's password; empty if there is none. */
  readonly password: string
  /** Version of the client's game, as in INFO. */
  readonly version: string
  /** The hashed CD key. */
  readonly hashedKey?: string
  /** Size of the ticket, in bytes. */
  readonly ticketSize?: number
  /** The user's Steam ticket. */
  readonly ticket?: string
  /** Bytes of `name` as hex, if they cannot be restored from the text. */
  readonly nameHex?: string
  /** Bytes of `password` as hex, if they cannot be restored from the text. */
  readonly passwordHex?: string
  /** Bytes of `version` as hex, if they cannot be restored from the text. */
  readonly versionHex?: string
  /** Bytes of `hashedKey` as hex, if they cannot be restored from the text. */
  readonly hashedKeyHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** C2S_CONNECT (CS:GO): Requests to join a CS:GO server. The fields after the number of players are not aligned to bytes. Therefore `rest` contains all these fields. Documents: published descriptions of CS:GO's handshake. */
export interface CsgoConnectRequest {
  readonly _tag: "CsgoConnectRequest"
  /** Version of the client's program. The version of the server's program must be the same. */
  readonly hostVersion: number
  /** How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam. */
  readonly authProtocol: number
  /** The server's challenge. */
  readonly challenge: number
  /** Always empty: `rest` contains the names of the players. */
  readonly name: string
  /** The server's password; empty if there is none. */
  readonly password: string
  /** Number of players on this connection; more than one with a split screen. */
  readonly players: number
  /** Settings of the players, reservation, platform, Steam ticket. */
  readonly rest: string
  /** Bytes of `name` as hex, if they cannot be restored from the text. */
  readonly nameHex?: string
  /** Bytes of `password` as hex, if they cannot be restored from the text. */
  readonly passwordHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** S2C_CONNECTION: The server accepts the client. The message of a CS:GO server is returned as `payload`, because its layout is not documented. Documents: 004; public captures of Source 2013 servers. */
export interface ConnectionAccepted {
  readonly _tag: "ConnectionAccepted"
  /** All bytes after the type. */
  readonly payload?: string
  /** The client's number, copied from the handshake request. */
  readonly clientChallenge?: number
  /** Servers send `0000000000`. */
  readonly text?: string
  /** Bytes of `text` as hex, if they cannot be restored from the text. */
  readonly textHex?: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** connection-based message: A message of an open connection. It does not start with FF FF FF FF. Documents: 004. */
export interface ConnectionMessage {
  readonly _tag: "ConnectionMessage"
  /** Id of the message. Each side counts its messages from 1. */
  readonly messageId: number
  /** Id of the message to which this message replies; 0 if there is none. */
  readonly responseId: number
  /** Document 004 lists 0x20, 0x21 and 0xA1, but does not explain them. */
  readonly type: number
  /** All bytes after the type. */
  readonly payload: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** any other message: A message of an unknown type: its type byte and its payload. Documents: none. */
export interface UnknownMessage {
  readonly _tag: "UnknownMessage"
  /** The type byte. */
  readonly type: number
  /** All bytes after the type. */
  readonly payload: string
  /** The bytes after the message, or after its last complete part, as hex. */
  readonly trailing?: string
}

/** A message while it is being decoded. */
type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Any message. Its `_tag` names its type. */
export type Message =
  | InfoRequest
  | InfoReply
  | GoldSourceInfoReply
  | PlayersRequest
  | PlayersReply
  | RulesRequest
  | RulesReply
  | GetChallengeRequest
  | ChallengeReply
  | PingRequest
  | ProxyAgeRequest
  | PingReply
  | PrintReply
  | QuakePrint
  | ConnectionRejected
  | RconChallengeRequest
  | RconChallengeReply
  | RconRequest
  | LogLine
  | SecretLogLine
  | GoldSourceLogLine
  | MasterRequest
  | MasterChallenge
  | MasterReply
  | HandshakeRequest
  | CsgoHandshakeRequest
  | GoldSourceHandshakeRequest
  | HandshakeChallenge
  | CsgoHandshakeChallenge
  | GoldSourceHandshakeChallenge
  | ConnectRequest
  | CsgoConnectRequest
  | ConnectionAccepted
  | ConnectionMessage
  | UnknownMessage

const decodeInfoReply = (bytes: Uint8Array, encoding: Encoding): InfoReply | undefined => {
  if (bytes.length < 5 || bytes[4] !== 73 || bytes[0] !== 255 || bytes[1] !== 255 || bytes[2] !== 255 || bytes[3] !== 255) return undefined
  const end = bytes.length
  const chars = toChars(bytes)
  foreign.extras = undefined
  let at = 5
  const protocolAt = at
  at += 1
  if (at > end) return undefined
  const protocol = bytes[protocolAt]!
  const nameEnd = chars.indexOf("\0", at)
  if (nameEnd === -1) return undefined
  const mapEnd = chars.indexOf("\0", nameEnd + 1)
  if (mapEnd === -1) return undefined
  const folderEnd = chars.indexOf("\0", mapEnd + 1)
  if (folderEnd === -1) return undefined
  const gameEnd = chars.indexOf("\0", folderEnd + 1)
  if (gameEnd === -1) return undefined
  const nameIsAscii = isAscii(bytes, at, gameEnd)
  const name = nameIsAscii ? chars.substring(at, nameEnd) : foreignText(bytes, at, nameEnd, encoding, "name")
  const map = nameIsAscii ? chars.substring(nameEnd + 1, mapEnd) : foreignText(bytes, nameEnd + 1, mapEnd, encoding, "map")
  const folder = nameIsAscii ? chars.substring(mapEnd + 1, folderEnd) : foreignText(bytes, mapEnd + 1, folderEnd, encoding, "folder")
  const game = nameIsAscii ? chars.substring(folderEnd + 1, gameEnd) : foreignText(bytes, folderEnd + 1, gameEnd, encoding, "game")
  at = gameEnd + 1
  const appIdAt = at
  at += 9
  if (at > end) return undefined
  const appId = bytes[appIdAt]! | (bytes[appIdAt + 1]! << 8)
  const players = bytes[appIdAt + 2]!
  const maxPlayers = bytes[appIdAt + 3]!
  const bots = bytes[appIdAt + 4]!
  const serverType = ((b: number) => (b === 100 || b === 68 ? "dedicated" : b === 108 || b === 76 ? "listen" : b === 112 || b === 80 ? "sourcetv" : b === 105 || b === 73 ? "emulatedListen" : b))(bytes[appIdAt + 5]!)
  const environment = ((b: number) => (b === 108 || b === 76 ? "linux" : b === 119 || b === 87 ? "windows" : b === 109 || b === 111 || b === 77 || b === 79 ? "mac" : b))(bytes[appIdAt + 6]!)
  const passwordProtected = bytes[appIdAt + 7]! === 1
  const vac = bytes[appIdAt + 8]! === 1
  if (bytes[appIdAt + 7]! > 1) return undefined
  if (bytes[appIdAt + 8]! > 1) return undefined
  if (appId === 2400) return undefined
  const versionEnd = chars.indexOf("\0", at)
  if (versionEnd === -1) return undefined
  const versionIsAscii = isAscii(bytes, at, versionEnd)
  const version = versionIsAscii ? chars.substring(at, versionEnd) : foreignText(bytes, at, versionEnd, encoding, "version")
  at = versionEnd + 1
  const message: Writable<InfoReply> = { _tag: "InfoReply", protocol, name, map, folder, game, appId, players, maxPlayers, bots, serverType, environment, passwordProtected, vac, version }
  if (at < end) {
    const bits = bytes[at++]!
    if ((bits & 128) !== 0) {
      const portAt = at
      at += 2
      if (at > end) return undefined
      const port = bytes[portAt]! | (bytes[portAt + 1]! << 8)
      message.port = port
    }
    if ((bits & 16) !== 0) {
      const steamIdAt = at
      at += 8
      if (at > end) return undefined
      const steamId = u64(bytes, steamIdAt)
      message.steamId = steamId
    }
    if ((bits & 64) !== 0) {
      if (foreign.extras !== undefined) takeExtras(message)
      const portAt = at
      at += 2
      if (at > end) return undefined
      const port = bytes[portAt]! | (bytes[portAt + 1]! << 8)
      const nameEnd = chars.indexOf("\0", at)
      if (nameEnd === -1) return undefined
      const nameIsAscii = isAscii(bytes, at, nameEnd)
      const name = nameIsAscii ? chars.substring(at, nameEnd) : foreignText(bytes, at, nameEnd, encoding, "name")
      at = nameEnd + 1
      const group = { port, name }
      if (foreign.extras !== undefined) takeExtras(group)
      message.sourceTv = group
    }
    if ((bits & 32) !== 0) {
      const keywordsEnd = chars.indexOf("\0", at)
      if (keywordsEnd === -1) return undefined
      const keywordsIsAscii = isAscii(bytes, at, keywordsEnd)
      const keywords = keywordsIsAscii ? chars.substring(at, keywordsEnd) : foreignText(bytes, at, keywordsEnd, encoding, "keywords")
      at = keywordsEnd + 1
      message.keywords = keywords
    }
    if ((bits & 1) !== 0) {
      const gameIdAt = at
      at += 8
      if (at > end) return undefined
      const gameId = u64(bytes, gameIdAt)
      message.gameId = gameId
    }
    message.edf = bits
  }
  if (at !== end) return undefined
  if (foreign.extras !== undefined) takeExtras(message)
  if (message.gameId !== undefined) resolveAppId(message)
  return message
}

const decodePlayersReply = (bytes: Uint8Array, encoding: Encoding): PlayersReply | undefined => {
  if (bytes.length < 6 || bytes[4] !== 68 || bytes[0] !== 255 || bytes[1] !== 255 || bytes[2] !== 255 || bytes[3] !== 255) return undefined
  const announced = bytes[5]!
  const end = bytes.length
  const chars = toChars(bytes)
  foreign.extras = undefined
  let at = 6
  const players: Array<Player> = []
  for (let i = 0; i < announced; i++) {
    const indexAt = at
    at += 1
    if (at > end) return undefined
    const index = bytes[indexAt]!
    const nameStart = at
    let nameBits = 0
    for (let byte = 0; at < end && (byte = bytes[at]!) !== 0; at++) nameBits |= byte
    if (at >= end) return undefined
    const name = nameBits < 0x80 ? chars.substring(nameStart, at) : foreignText(bytes, nameStart, at, encoding, "name")
    at++
    const scoreAt = at
    at += 8
    if (at > end) return undefined
    const score = bytes[scoreAt]! | (bytes[scoreAt + 1]! << 8) | (bytes[scoreAt + 2]! << 16) | (bytes[scoreAt + 3]! << 24)
    const duration = f32(bytes, scoreAt + 4)
    const entry: Player = { index, name, score, duration }
    if (foreign.extras !== undefined) takeExtras(entry)
    players.push(entry)
  }
  if (at !== end) return undefined
  return { _tag: "PlayersReply", announced, players, truncated: false }
}

const decodeRulesReply = (bytes: Uint8Array, encoding: Encoding): RulesReply | undefined => {
  if (bytes.length < 7 || bytes[4] !== 69 || bytes[0] !== 255 || bytes[1] !== 255 || bytes[2] !== 255 || bytes[3] !== 255) return undefined
  const announced = bytes[5]! | (bytes[5 + 1]! << 8)
  const end = bytes.length
  const chars = toChars(bytes)
  foreign.extras = undefined
  let at = 7
  const rules: Array<Rule> = []
  for (let i = 0; i < announced; i++) {
    const nameStart = at
    let nameBits = 0
    for (let byte = 0; at < end && (byte = bytes[at]!) !== 0; at++) nameBits |= byte
    if (at >= end) return undefined
    const name = nameBits < 0x80 ? chars.substring(nameStart, at) : foreignText(bytes, nameStart, at, encoding, "name")
    at++
    const valueStart = at
    let valueBits = 0
    for (let byte = 0; at < end && (byte = bytes[at]!) !== 0; at++) valueBits |= byte
    if (at >= end) return undefined
    const value = valueBits < 0x80 ? chars.substring(valueStart, at) : foreignText(bytes, valueStart, at, encoding, "value")
    at++
    const entry: Rule = { name, value }
    if (foreign.extras !== undefined) takeExtras(entry)
    rules.push(entry)
  }
  if (at !== end) return undefined
  return { _tag: "RulesReply", announced, rules, truncated: false }
}

/** A2S_INFO: the codec of {@link InfoRequest}. */
export const InfoRequest: Codec<InfoRequest> = /* @__PURE__ */ make(layouts.InfoRequest)

/** S2A_INFO_SRC: the codec of {@link InfoReply}. */
export const InfoReply: Codec<InfoReply> = /* @__PURE__ */ make(layouts.InfoReply, decodeInfoReply)

/** S2A_INFO_DETAILED: the codec of {@link GoldSourceInfoReply}. */
export const GoldSourceInfoReply: Codec<GoldSourceInfoReply> = /* @__PURE__ */ make(layouts.GoldSourceInfoReply)

/** A2S_PLAYER: the codec of {@link PlayersRequest}. */
export const PlayersRequest: Codec<PlayersRequest> = /* @__PURE__ */ make(layouts.PlayersRequest)

/** S2A_PLAYER: the codec of {@link PlayersReply}. */
export const PlayersReply: Codec<PlayersReply> = /* @__PURE__ */ make(layouts.PlayersReply, decodePlayersReply)

/** A2S_RULES: the codec of {@link RulesRequest}. */
export const RulesRequest: Codec<RulesRequest> = /* @__PURE__ */ make(layouts.RulesRequest)

/** S2A_RULES: the codec of {@link RulesReply}. */
export const RulesReply: Codec<RulesReply> = /* @__PURE__ */ make(layouts.RulesReply, decodeRulesReply)

/** A2S_SERVERQUERY_GETCHALLENGE: the codec of {@link GetChallengeRequest}. */
export const GetChallengeRequest: Codec<GetChallengeRequest> = /* @__PURE__ */ make(layouts.GetChallengeRequest)

/** S2C_CHALLENGE: the codec of {@link ChallengeReply}. */
export const ChallengeReply: Codec<ChallengeReply> = /* @__PURE__ */ make(layouts.ChallengeReply)

/** A2A_PING: the codec of {@link PingRequest}. */
export const PingRequest: Codec<PingRequest> = /* @__PURE__ */ make(layouts.PingRequest)

/** sourcewire age: the codec of {@link ProxyAgeRequest}. */
export const ProxyAgeRequest: Codec<ProxyAgeRequest> = /* @__PURE__ */ make(layouts.ProxyAgeRequest)

/** A2A_ACK: the codec of {@link PingReply}. */
export const PingReply: Codec<PingReply> = /* @__PURE__ */ make(layouts.PingReply)

/** A2C_PRINT: the codec of {@link PrintReply}. */
export const PrintReply: Codec<PrintReply> = /* @__PURE__ */ make(layouts.PrintReply)

/** print: the codec of {@link QuakePrint}. */
export const QuakePrint: Codec<QuakePrint> = /* @__PURE__ */ make(layouts.QuakePrint)

/** S2C_CONNREJECT: the codec of {@link ConnectionRejected}. */
export const ConnectionRejected: Codec<ConnectionRejected> = /* @__PURE__ */ make(layouts.ConnectionRejected)

/** challenge rcon: the codec of {@link RconChallengeRequest}. */
export const RconChallengeRequest: Codec<RconChallengeRequest> = /* @__PURE__ */ make(layouts.RconChallengeRequest)

/** challenge rcon: the codec of {@link RconChallengeReply}. */
export const RconChallengeReply: Codec<RconChallengeReply> = /* @__PURE__ */ make(layouts.RconChallengeReply)

/** rcon: the codec of {@link RconRequest}. */
export const RconRequest: Codec<RconRequest> = /* @__PURE__ */ make(layouts.RconRequest)

/** S2A_LOGSTRING: the codec of {@link LogLine}. */
export const LogLine: Codec<LogLine> = /* @__PURE__ */ make(layouts.LogLine)

/** S2A_LOGSTRING2: the codec of {@link SecretLogLine}. */
export const SecretLogLine: Codec<SecretLogLine> = /* @__PURE__ */ make(layouts.SecretLogLine)

/** log: the codec of {@link GoldSourceLogLine}. */
export const GoldSourceLogLine: Codec<GoldSourceLogLine> = /* @__PURE__ */ make(layouts.GoldSourceLogLine)

/** A2M_GET_SERVERS_BATCH2: the codec of {@link MasterRequest}. */
export const MasterRequest: Codec<MasterRequest> = /* @__PURE__ */ make(layouts.MasterRequest)

/** master challenge: the codec of {@link MasterChallenge}. */
export const MasterChallenge: Codec<MasterChallenge> = /* @__PURE__ */ make(layouts.MasterChallenge)

/** M2A_SERVER_BATCH: the codec of {@link MasterReply}. */
export const MasterReply: Codec<MasterReply> = /* @__PURE__ */ make(layouts.MasterReply)

/** A2S_GETCHALLENGE: the codec of {@link HandshakeRequest}. */
export const HandshakeRequest: Codec<HandshakeRequest> = /* @__PURE__ */ make(layouts.HandshakeRequest)

/** A2S_GETCHALLENGE (CS:GO): the codec of {@link CsgoHandshakeRequest}. */
export const CsgoHandshakeRequest: Codec<CsgoHandshakeRequest> = /* @__PURE__ */ make(layouts.CsgoHandshakeRequest)

/** getchallenge: the codec of {@link GoldSourceHandshakeRequest}. */
export const GoldSourceHandshakeRequest: Codec<GoldSourceHandshakeRequest> = /* @__PURE__ */ make(layouts.GoldSourceHandshakeRequest)

/** S2C_CHALLENGE (Source 2013): the codec of {@link HandshakeChallenge}. */
export const HandshakeChallenge: Codec<HandshakeChallenge> = /* @__PURE__ */ make(layouts.HandshakeChallenge)

/** S2C_CHALLENGE (CS:GO): the codec of {@link CsgoHandshakeChallenge}. */
export const CsgoHandshakeChallenge: Codec<CsgoHandshakeChallenge> = /* @__PURE__ */ make(layouts.CsgoHandshakeChallenge)

/** S2C_CHALLENGE (GoldSource): the codec of {@link GoldSourceHandshakeChallenge}. */
export const GoldSourceHandshakeChallenge: Codec<GoldSourceHandshakeChallenge> = /* @__PURE__ */ make(layouts.GoldSourceHandshakeChallenge)

/** C2S_CONNECT: the codec of {@link ConnectRequest}. */
export const ConnectRequest: Codec<ConnectRequest> = /* @__PURE__ */ make(layouts.ConnectRequest)

/** C2S_CONNECT (CS:GO): the codec of {@link CsgoConnectRequest}. */
export const CsgoConnectRequest: Codec<CsgoConnectRequest> = /* @__PURE__ */ make(layouts.CsgoConnectRequest)

/** S2C_CONNECTION: the codec of {@link ConnectionAccepted}. */
export const ConnectionAccepted: Codec<ConnectionAccepted> = /* @__PURE__ */ make(layouts.ConnectionAccepted)

/** connection-based message: the codec of {@link ConnectionMessage}. */
export const ConnectionMessage: Codec<ConnectionMessage> = /* @__PURE__ */ make(layouts.ConnectionMessage)

/** any other message: the codec of {@link UnknownMessage}. */
export const UnknownMessage: Codec<UnknownMessage> = /* @__PURE__ */ make(layouts.UnknownMessage)
