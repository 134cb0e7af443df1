-- Wireshark dissector for Valve's game-server queries. Generated from packages/protocol/src/declarations by `pnpm generate`; not to be edited.
local messages = {}
messages.InfoRequest = { valve = "A2S_INFO", type = 84, doc = "Requests basic facts about the server. Since 2021, a server may reply with a challenge. The client then repeats the request and appends the challenge.", fields = { { kind = "literal", name = "payload", doc = "Always `Source Engine Query` and a NUL.", text = "Source Engine Query\000" }, { kind = "i32", name = "challenge", doc = "The number from S2C_CHALLENGE. The first request omits this field.", when = { { left = "some" } } } } }
messages.InfoReply = { valve = "S2A_INFO_SRC", type = 73, doc = "Basic facts about the server. Source and current GoldSource servers send this reply.", fields = { { kind = "u8", name = "protocol", doc = "Version of the network protocol: 17 Source, 7 older Source, 47 and 48 GoldSource." }, { kind = "text", name = "name", doc = "Name of the server." }, { kind = "text", name = "map", doc = "Map being played." }, { kind = "text", name = "folder", doc = "Folder of the game, for example `cstrike`." }, { kind = "text", name = "game", doc = "Full name of the game or of its mode." }, { kind = "u16", name = "appId", doc = "Steam's number for the game. If the reply has a `gameId`, the decoded value is the low 24 bits of the `gameId`." }, { kind = "u8", name = "players", doc = "Players on the server, often including bots. If there are more than 255 players, some servers send the number modulo 256, and others send 255." }, { kind = "u8", name = "maxPlayers", doc = "Maximum number of players." }, { kind = "u8", name = "bots", doc = "Bots on the server." }, { kind = "code", name = "serverType", doc = "`d` dedicated, `l` listen, `p` SourceTV or HLTV relay, `i` listen server of a Steam emulator; in upper or lower case. Rag Doll Kung Fu sends 0.", names = { { word = "dedicated", codes = { 100, 68 } }, { word = "listen", codes = { 108, 76 } }, { word = "sourcetv", codes = { 112, 80 } }, { word = "emulatedListen", codes = { 105, 73 } } } }, { kind = "code", name = "environment", doc = "Operating system of the server: `l` Linux, `w` Windows, `m` or `o` macOS; in upper or lower case.", names = { { word = "linux", codes = { 108, 76 } }, { word = "windows", codes = { 119, 87 } }, { word = "mac", codes = { 109, 111, 77, 79 } } } }, { kind = "flag", name = "passwordProtected", doc = "Visibility: 1 if players need a password to join." }, { kind = "flag", name = "vac", doc = "1 if Valve Anti-Cheat is on." }, { kind = "group", name = "theShip", doc = "Fields that only The Ship sends.", when = { { field = "appId", equals = 2400 } }, fields = { { kind = "code", name = "mode", doc = "Game mode.", names = { { word = "hunt", codes = { 0 } }, { word = "elimination", codes = { 1 } }, { word = "duel", codes = { 2 } }, { word = "deathmatch", codes = { 3 } }, { word = "vipTeam", codes = { 4 } }, { word = "teamElimination", codes = { 5 } } } }, { kind = "u8", name = "witnesses", doc = "Number of witnesses needed to arrest a player." }, { kind = "u8", name = "duration", doc = "Seconds until an observed player is arrested." } } }, { kind = "text", name = "version", doc = "Game version, for example `1.0.0.22`.", unterminated = true }, { kind = "bits", name = "edf", doc = "Extra data flags, as sent: the bits announce `port`, `steamId`, `sourceTv`, `keywords` and `gameId`. Replies of old servers end before this byte.", fields = { { bit = 128, element = { kind = "u16", name = "port", doc = "The server's game port." } }, { bit = 16, element = { kind = "u64", name = "steamId", doc = "SteamID of the server." } }, { bit = 64, element = { kind = "group", name = "sourceTv", doc = "The SourceTV server for spectators.", fields = { { kind = "u16", name = "port", doc = "Port of SourceTV." }, { kind = "text", name = "name", doc = "Name of SourceTV." } } } }, { bit = 32, element = { kind = "text", name = "keywords", doc = "Tags (`sv_tags`); some games pack their own data here." } }, { bit = 1, element = { kind = "u64", name = "gameId", doc = "64-bit game id; its low 24 bits are the app id." } } } } } }
messages.GoldSourceInfoReply = { valve = "S2A_INFO_DETAILED", type = 109, doc = "Basic facts about the server, in the older dialect, which GoldSource servers and HLTV proxies send. Some servers also send an InfoReply.", fields = { { kind = "text", name = "address", doc = "Address and port of the server, from its own configuration." }, { kind = "text", name = "name", doc = "Name of the server." }, { kind = "text", name = "map", doc = "Map being played." }, { kind = "text", name = "folder", doc = "Folder with the game's files." }, { kind = "text", name = "game", doc = "Full name of the game." }, { kind = "u8", name = "players", doc = "Players on the server, or spectators on an HLTV proxy." }, { kind = "u8", name = "maxPlayers", doc = "Maximum number of players." }, { kind = "u8", name = "protocol", doc = "Version of the network protocol, 47 or 48." }, { kind = "code", name = "serverType", doc = "`d` dedicated, `l` listen, `p` SourceTV or HLTV relay, `i` listen server of a Steam emulator; in upper or lower case. Rag Doll Kung Fu sends 0.", names = { { word = "dedicated", codes = { 100, 68 } }, { word = "listen", codes = { 108, 76 } }, { word = "sourcetv", codes = { 112, 80 } }, { word = "emulatedListen", codes = { 105, 73 } } } }, { kind = "code", name = "environment", doc = "Operating system of the server: `l` Linux, `w` Windows, `m` or `o` macOS; in upper or lower case.", names = { { word = "linux", codes = { 108, 76 } }, { word = "windows", codes = { 119, 87 } }, { word = "mac", codes = { 109, 111, 77, 79 } } } }, { kind = "flag", name = "passwordProtected", doc = "Visibility: 1 if players need a password to join." }, { kind = "marker", name = "isMod", doc = "1 if the fields of `mod` follow." }, { kind = "group", name = "mod", doc = "The mod that the server runs.", when = { { field = "isMod", equals = 1 } }, fields = { { kind = "text", name = "link", doc = "The mod's web page." }, { kind = "text", name = "downloadLink", doc = "Download page of the mod." }, { kind = "text", name = "reserved", doc = "A text that real servers leave empty. The documents describe its NUL as a reserved byte." }, { kind = "i32", name = "version", doc = "Version of the mod." }, { kind = "i32", name = "size", doc = "Size of the mod on disk, in bytes." }, { kind = "code", name = "type", doc = "Single-player and multiplayer, or only multiplayer.", names = { { word = "singleAndMultiplayer", codes = { 0 } }, { word = "multiplayerOnly", codes = { 1 } } } }, { kind = "code", name = "dll", doc = "Game library of the mod: Half-Life's, or its own.", names = { { word = "halfLife", codes = { 0 } }, { word = "own", codes = { 1 } } } } } }, { kind = "flag", name = "vac", doc = "1 if Valve Anti-Cheat is on." }, { kind = "group", name = "hltv", doc = "Fields that only HLTV proxies with 255 slots send.", when = { { field = "serverType", equals = "sourcetv" }, { left = 8 } }, fields = { { kind = "u32", name = "spectators", doc = "Spectators on the proxy." }, { kind = "u32", name = "slots", doc = "Maximum number of spectators." } } }, { kind = "u8", name = "bots", doc = "Bots on the server. HLTV omits this field.", when = { { left = "some" } } } } }
messages.PlayersRequest = { valve = "A2S_PLAYER", type = 85, doc = "Requests the players. A request with challenge \226\136\1461 requests a challenge.", fields = { { kind = "i32", name = "challenge", doc = "The challenge from S2C_CHALLENGE, or \226\136\1461 to request a challenge. Some clients omit this field.", when = { { left = "some" } } } } }
messages.PlayersReply = { valve = "S2A_PLAYER", type = 68, doc = "The players, in the order of the datagram. Incomplete entries are omitted.", fields = { { kind = "list", name = "players", doc = "The complete entries.", count = { kind = "u8", name = "announced", doc = "The number of entries that the server announces, in one byte. Rust sends the count modulo 256; other games send at most 255." }, entry = { { kind = "u8", name = "index", doc = "The player's index. Many games send 0 for all." }, { kind = "text", name = "name", doc = "The player's name; empty if the game hides it." }, { kind = "i32", name = "score", doc = "Kills or points; may be negative." }, { kind = "f32", name = "duration", doc = "Seconds on the server; \226\136\1461 for bots of some engines." } }, appended = { { kind = "i32", name = "deaths", doc = "The Ship: deaths." }, { kind = "i32", name = "money", doc = "The Ship: money." } }, max = 8192 } } }
messages.RulesRequest = { valve = "A2S_RULES", type = 86, doc = "Requests the rules. A request with challenge \226\136\1461 requests a challenge.", fields = { { kind = "i32", name = "challenge", doc = "The challenge from S2C_CHALLENGE, or \226\136\1461 to request a challenge. Some clients omit this field.", when = { { left = "some" } } } } }
messages.RulesReply = { valve = "S2A_RULES", type = 69, doc = "The rules, in the order of the datagram. Duplicates are included, and values are not changed.", fields = { { kind = "list", name = "rules", doc = "The complete entries.", count = { kind = "u16", name = "announced", doc = "The number of entries that the server announces." }, entry = { { kind = "text", name = "name", doc = "Name of the console variable." }, { kind = "text", name = "value", doc = "Value of the console variable, as sent." } }, max = 65535 } } }
messages.GetChallengeRequest = { valve = "A2S_SERVERQUERY_GETCHALLENGE", type = 87, doc = "Requests a challenge. Obsolete: only old engines reply.", fields = {  } }
messages.ChallengeReply = { valve = "S2C_CHALLENGE", type = 65, doc = "Contains the number that the client must send in its next request. 0 and negative numbers are valid.", fields = { { kind = "i32", name = "challenge", doc = "The challenge." } } }
messages.PingRequest = { valve = "A2A_PING", type = 105, doc = "Checks whether the server replies. Obsolete, but GoldSource engines support it.", fields = {  } }
messages.ProxyAgeRequest = { valve = "sourcewire age", doc = "Requests the ages of the replies that a Sourcewire proxy has stored. The request is a ping with a text after its NUL. A game server treats the request as a ping or ignores it. A proxy replies with a PingReply whose payload contains the ages of INFO, PLAYER and RULES, in ms.", fields = { { kind = "literal", name = "command", doc = "A ping, a NUL and a text.", text = "i\000sourcewire age" }, { kind = "bytes", name = "padding", doc = "NULs, so that the reply is no larger than the request." } } }
messages.PingReply = { valve = "A2A_ACK", type = 106, doc = "The reply to a ping.", fields = { { kind = "text", name = "payload", doc = "Empty on GoldSource, `00000000000000` on Source.", unterminated = true } } }
messages.PrintReply = { valve = "A2C_PRINT", type = 108, doc = "Text for a console: the output of a GoldSource RCON command. In reply to a query, the text reports a ban or a rate limit.", fields = { { kind = "text", name = "text", doc = "The text; lines end with a newline.", unterminated = true } } }
messages.QuakePrint = { valve = "print", doc = "Text for a console, from Xash3D and the descendants of Quake: the output of an RCON command. Xash3D sends one datagram per line.", fields = { { kind = "literal", name = "command", doc = "The command.", text = "print\010" }, { kind = "text", name = "text", doc = "The text; lines end with a newline.", unterminated = true } } }
messages.ConnectionRejected = { valve = "S2C_CONNREJECT", type = 57, doc = "A rejection with its reason: an unknown RCON challenge, or a failed connect. `ConnectRedirectAddress:IP:PORT` sends the client to another server.", fields = { { kind = "i32", name = "clientChallenge", doc = "The client's number, copied from the connect request. Only Source 2013 sends it; CS:GO and GoldSource omit it.", when = { { usually = false } } }, { kind = "text", name = "text", doc = "The reason, as in `#GameUI_ServerRejectBadChallenge`.", unterminated = true } } }
messages.RconChallengeRequest = { valve = "challenge rcon", doc = "Requests the number that RCON commands must contain.", fields = { { kind = "literal", name = "command", doc = "The command.", text = "challenge rcon" }, { kind = "literal", name = "end", doc = "Newline and NUL; both may be missing.", text = "\010\000", optional = true } } }
messages.RconChallengeReply = { valve = "challenge rcon", doc = "The number that RCON commands must contain. It depends on the client's address. It is valid for 60 minutes on HLDS and for half a minute on HLTV.", fields = { { kind = "literal", name = "command", doc = "The command of the request.", text = "challenge rcon " }, { kind = "decimal", name = "challenge", doc = "The number, unsigned, in decimal digits." }, { kind = "literal", name = "end", doc = "Newline and NUL; both may be missing.", text = "\010\000", optional = true } } }
messages.RconRequest = { valve = "rcon", doc = "A remote command. The password is not encrypted.", fields = { { kind = "literal", name = "verb", doc = "The command.", text = "rcon " }, { kind = "decimal", name = "challenge", doc = "The number from the server's reply. Xash3D and Quake do not use challenges.", optional = true }, { kind = "quoted", name = "password", doc = "The password." }, { kind = "text", name = "command", doc = "The command line to run.", unterminated = true } } }
messages.LogLine = { valve = "S2A_LOGSTRING", type = 82, doc = "A line of a Source server's log.", fields = { { kind = "text", name = "line", doc = "The unchanged line with a newline at its end, for example `L 06/28/2025 - 08:42:47: World triggered \034Round_Start\034`.", unterminated = true } } }
messages.SecretLogLine = { valve = "S2A_LOGSTRING2", type = 83, doc = "A log line of a Source server that sets `sv_logsecret`. The secret proves the origin of the line.", fields = { { kind = "decimal", name = "secret", doc = "The value of `sv_logsecret`." }, { kind = "text", name = "line", doc = "The unchanged line with a newline at its end, for example `L 06/28/2025 - 08:42:47: World triggered \034Round_Start\034`.", unterminated = true } } }
messages.GoldSourceLogLine = { valve = "log", doc = "A line of a GoldSource server's log: the text command `log` and the line.", fields = { { kind = "literal", name = "command", doc = "The command.", text = "log " }, { kind = "text", name = "line", doc = "The unchanged line with a newline at its end, for example `L 06/28/2025 - 08:42:47: World triggered \034Round_Start\034`.", unterminated = true } } }
messages.MasterChallenge = { valve = "master challenge", doc = "A master's number for a game server that registers with this master. The game server returns the number together with its details.", fields = { { kind = "literal", name = "command", doc = "The command.", text = "s\010" }, { kind = "u32", name = "challenge", doc = "The master's number." }, { kind = "u32", name = "serverChallenge", doc = "The number in the game server's request.", when = { { left = "some" } } } } }
messages.MasterReply = { valve = "M2A_SERVER_BATCH", type = 102, doc = "A page of addresses.", fields = { { kind = "literal", name = "newline", doc = "0x0A.", text = "\010" }, { kind = "addresses", name = "servers", doc = "The addresses of game servers: four bytes for the IP address and two bytes for the port, in network byte order. 0.0.0.0:0 ends the list.", last = "complete" } } }
messages.HandshakeRequest = { valve = "A2S_GETCHALLENGE", type = 113, doc = "Starts the handshake with a Source server, in the form of Source 2013.", fields = { { kind = "i32", name = "challenge", doc = "A number that the client chooses and the reply repeats." }, { kind = "text", name = "payload", doc = "Clients send `0000000000`.", unterminated = true } } }
messages.CsgoHandshakeRequest = { valve = "A2S_GETCHALLENGE (CS:GO)", type = 113, doc = "Starts the handshake with a CS:GO server. The word `connect` after the type byte distinguishes this request from a request in the form of Source 2013.", fields = { { kind = "literal", name = "word", doc = "A fixed text.", text = "connect0x" }, { kind = "hexadecimal", name = "challenge", doc = "The challenge from the server's previous reply; 00000000 in the first request." }, { kind = "literal", name = "end", doc = "A NUL at the end of the text; may be missing.", text = "\000", optional = true } } }
messages.GoldSourceHandshakeRequest = { valve = "getchallenge", doc = "Starts the handshake with a GoldSource server. The request is text after FF FF FF FF.", fields = { { kind = "literal", name = "command", doc = "The command.", text = "getchallenge" }, { kind = "word", name = "argument", doc = "`steam` from clients that use Steam." }, { kind = "literal", name = "end", doc = "Newline and NUL; both may be missing.", text = "\010\000", optional = true } } }
messages.HandshakeChallenge = { valve = "S2C_CHALLENGE (Source 2013)", type = 65, doc = "The reply to a handshake request. It has the same type byte as the S2C_CHALLENGE of a query; the magic number distinguishes the two messages. Relays, LAN servers and servers without Steam use authentication protocol 2. Their reply ends after the field `authProtocol`, at byte 21.", fields = { { kind = "literal", name = "magic", doc = "0x5A4F4933.", text = "3IOZ" }, { kind = "i32", name = "serverChallenge", doc = "A new challenge from the server." }, { kind = "i32", name = "clientChallenge", doc = "The client's number, copied from the handshake request." }, { kind = "u32", name = "authProtocol", doc = "How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam." }, { kind = "u16", name = "encryptionKeySize", doc = "Size of the key that follows, in bytes. Current servers send 0.", when = { { field = "authProtocol", equals = 3 } } }, { kind = "bytes", name = "encryptionKey", doc = "The key.", when = { { field = "authProtocol", equals = 3 } }, size = "encryptionKeySize" }, { kind = "u64", name = "steamId", doc = "SteamID of the server.", when = { { field = "authProtocol", equals = 3 } } }, { kind = "flag", name = "vac", doc = "1 if Valve Anti-Cheat is on.", when = { { field = "authProtocol", equals = 3 } } }, { kind = "bytes", name = "rest", doc = "Padding. Known servers send `000000` and a NUL.", when = { { field = "authProtocol", equals = 3 } } } } }
messages.CsgoHandshakeChallenge = { valve = "S2C_CHALLENGE (CS:GO)", type = 65, doc = "The reply of a CS:GO server to a handshake request. It has no magic number and does not repeat the client's number.", fields = { { kind = "i32", name = "challenge", doc = "The server's challenge." }, { kind = "u32", name = "authProtocol", doc = "How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam." }, { kind = "u16", name = "encryption", doc = "Whether Steam's old encryption is on. Current servers send 0." }, { kind = "u64", name = "steamId", doc = "SteamID of the server." }, { kind = "flag", name = "vac", doc = "1 if Valve Anti-Cheat is on." }, { kind = "text", name = "context", doc = "The next step for the client. If this field repeats the text of the request, the client may connect. `connect-retry`: repeat the request with the challenge of this reply. `connect-lan-only`: only LAN clients can join. `connect-matchmaking-only`: only clients from matchmaking can join." }, { kind = "u32", name = "hostVersion", doc = "Version of the server's program." }, { kind = "text", name = "lobbyType", doc = "Type of the lobby, for example `public`. Empty if there is no lobby." }, { kind = "flag", name = "passwordRequired", doc = "1 if players need a password to join." }, { kind = "u64", name = "lobbyId", doc = "Id of the lobby; 0 or 2^64 \226\136\146 1 if there is no lobby." }, { kind = "flag", name = "friendsRequired", doc = "1 if only friends may connect directly." }, { kind = "flag", name = "valveServer", doc = "1 on Valve's own servers." }, { kind = "flag", name = "certificateRequired", doc = "1 if players need a certificate to join. Older servers omit this field.", when = { { left = "some" } } }, { kind = "u32", name = "publicKeySize", doc = "Size of `publicKey`, in bytes.", when = { { field = "certificateRequired", equals = true } } }, { kind = "bytes", name = "publicKey", doc = "The public key of the certificate.", when = { { field = "certificateRequired", equals = true } }, size = "publicKeySize" }, { kind = "u32", name = "signatureSize", doc = "Size of `signature`, in bytes.", when = { { field = "certificateRequired", equals = true } } }, { kind = "bytes", name = "signature", doc = "The signature of the certificate.", when = { { field = "certificateRequired", equals = true } }, size = "signatureSize" } } }
messages.GoldSourceHandshakeChallenge = { valve = "S2C_CHALLENGE (GoldSource)", type = 65, doc = "The reply of a GoldSource server to `getchallenge`: the type byte, then text. Eight zeros distinguish this reply from other messages with the same type byte.", fields = { { kind = "literal", name = "zeros", doc = "Always eight zeros and a space.", text = "00000000 " }, { kind = "decimal", name = "serverChallenge", doc = "The server's challenge, unsigned." }, { kind = "literal", name = "blank", doc = "A blank.", text = " " }, { kind = "decimal", name = "authProtocol", doc = "How the server authenticates users: 2 hashed CD key, 3 Steam." }, { kind = "literal", name = "secondBlank", doc = "A blank.", when = { { field = "authProtocol", equals = 3 } }, text = " " }, { kind = "decimal", name = "steamId", doc = "SteamID of the server.", when = { { field = "authProtocol", equals = 3 } } }, { kind = "literal", name = "thirdBlank", doc = "A blank.", when = { { field = "authProtocol", equals = 3 } }, text = " " }, { kind = "decimal", name = "vac", doc = "1 if Valve Anti-Cheat is on.", when = { { field = "authProtocol", equals = 3 } } }, { kind = "literal", name = "end", doc = "Newline and NUL; both may be missing.", text = "\010\000", optional = true } } }
messages.ConnectRequest = { valve = "C2S_CONNECT", type = 107, doc = "Requests to join a Source 2013 server. The first number is the protocol version, which is below 256. In CS:GO's form, the first number is the version of the program, which is above 255.", fields = { { kind = "u32", name = "protocolVersion", doc = "Version of the network protocol: 24 in Source 2013." }, { kind = "u32", name = "authProtocol", doc = "How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam." }, { kind = "i32", name = "serverChallenge", doc = "The server's challenge, from its reply to the handshake request." }, { kind = "i32", name = "clientChallenge", doc = "The client's number, as in its handshake request." }, { kind = "text", name = "name", doc = "Name of the player." }, { kind = "text", name = "password", doc = "The server's password; empty if there is none." }, { kind = "text", name = "version", doc = "Version of the client's game, as in INFO." }, { kind = "text", name = "hashedKey", doc = "The hashed CD key.", when = { { field = "authProtocol", equals = 2 } } }, { kind = "u16", name = "ticketSize", doc = "Size of the ticket, in bytes.", when = { { field = "authProtocol", equals = 3 } } }, { kind = "bytes", name = "ticket", doc = "The user's Steam ticket.", when = { { field = "authProtocol", equals = 3 } }, size = "ticketSize" } } }
messages.CsgoConnectRequest = { valve = "C2S_CONNECT (CS:GO)", type = 107, doc = "Requests to join a CS:GO server. The fields after the number of players are not aligned to bytes. Therefore `rest` contains all these fields.", fields = { { kind = "u32", name = "hostVersion", doc = "Version of the client's program. The version of the server's program must be the same." }, { kind = "u32", name = "authProtocol", doc = "How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam." }, { kind = "i32", name = "challenge", doc = "The server's challenge." }, { kind = "text", name = "name", doc = "Always empty: `rest` contains the names of the players." }, { kind = "text", name = "password", doc = "The server's password; empty if there is none." }, { kind = "u8", name = "players", doc = "Number of players on this connection; more than one with a split screen." }, { kind = "bytes", name = "rest", doc = "Settings of the players, reservation, platform, Steam ticket." } } }
messages.ConnectionAccepted = { valve = "S2C_CONNECTION", type = 66, doc = "The server accepts the client. The message of a CS:GO server is returned as `payload`, because its layout is not documented.", fields = { { kind = "bytes", name = "payload", doc = "All bytes after the type.", when = { { usually = true } } }, { kind = "i32", name = "clientChallenge", doc = "The client's number, copied from the handshake request.", when = { { left = "some" } } }, { kind = "text", name = "text", doc = "Servers send `0000000000`.", when = { { left = "some" } }, unterminated = true } } }
messages.UnknownMessage = { valve = "any other message", doc = "A message of an unknown type: its type byte and its payload.", fields = { { kind = "u8", name = "type", doc = "The type byte." }, { kind = "bytes", name = "payload", doc = "All bytes after the type." } } }

-- Reads messages by their declarations, like packages/protocol/src/internal/interpret.
local sourcewire = Proto("sourcewire", "Game-server query (A2S, Sourcewire)")

local SIZES = { u8 = 1, u16 = 2, i32 = 4, u32 = 4, f32 = 4, u64 = 8 }
local MAKERS = {
  u8 = ProtoField.uint8, u16 = ProtoField.uint16, i32 = ProtoField.int32, u32 = ProtoField.uint32,
  f32 = ProtoField.float, u64 = ProtoField.uint64, flag = ProtoField.uint8, marker = ProtoField.uint8,
  bits = ProtoField.uint8, code = ProtoField.uint8, bytes = ProtoField.bytes, literal = ProtoField.bytes
}

-- Wireshark fields by message and path. Texts and numbers in digits are strings.
local known = {}
local all = {}
local function abbreviation(tag, path)
  return string.lower("sourcewire." .. tag .. "." .. path)
end
local function declare(tag, path, kind, name, doc)
  local abbrev = abbreviation(tag, path)
  if known[abbrev] then return end
  local make = MAKERS[kind]
  local field
  if make == ProtoField.bytes then field = make(abbrev, name, base.SPACE, doc)
  elseif make == ProtoField.float then field = make(abbrev, name, doc)
  elseif make then field = make(abbrev, name, base.DEC, nil, nil, doc)
  else field = ProtoField.string(abbrev, name, base.ASCII, doc) end
  known[abbrev] = field
  all[#all + 1] = field
end
local function declareElement(tag, prefix, element)
  local path = prefix .. element.name
  if element.kind == "group" then
    for _, one in ipairs(element.fields) do declareElement(tag, path .. ".", one) end
  elseif element.kind == "list" then
    declare(tag, prefix .. element.count.name, element.count.kind, element.count.name, element.count.doc)
    for _, one in ipairs(element.entry) do declareElement(tag, path .. ".", one) end
    for _, one in ipairs(element.appended or {}) do declareElement(tag, path .. ".", one) end
  else
    declare(tag, path, element.kind, element.name, element.doc)
    if element.kind == "bits" then
      for _, one in ipairs(element.fields) do declareElement(tag, prefix, one.element) end
    end
  end
end
for tag, message in pairs(messages) do
  declare(tag, "header", "i32", "header", "-1: a whole message")
  if message.type then declare(tag, "type", "u8", "type", message.valve) end
  for _, element in ipairs(message.fields) do declareElement(tag, "", element) end
  declare(tag, "padding", "bytes", "padding", "Two bytes of padding")
  declare(tag, "end", "string", "end", "The end of the list")
  declare(tag, "trailing", "bytes", "trailing", "Bytes after the message")
  declare(tag, "unread", "bytes", "unread", "Bytes that could not be read")
end
local messageName = ProtoField.string("sourcewire.message", "Message")
all[#all + 1] = messageName
sourcewire.fields = all
local malformed = ProtoExpert.new("sourcewire.malformed", "The message cannot be decoded", expert.group.MALFORMED, expert.severity.ERROR)
sourcewire.experts = { malformed }

-- A reader of one datagram. If a field cannot be read, the reader stops with an error that has the path of the field.
local Reader = {}
Reader.__index = Reader

function Reader:left() return self.length - self.at end
function Reader:text() return self.buffer:raw(self.at, self:left()) end
function Reader:need(bytes, path)
  if self:left() < bytes then error({ path = path }) end
end
-- Records a field. If an entry turns out to be incomplete, `tries` removes its fields.
function Reader:note(path, from, kind)
  self.notes[#self.notes + 1] = { path = path, from = from, length = self.at - from, kind = kind }
end
function Reader:number(kind, path)
  local size = SIZES[kind]
  self:need(size, path)
  local range = self.buffer(self.at, size)
  self.at = self.at + size
  if kind == "i32" then return range:le_int() end
  if kind == "f32" then return range:le_float() end
  if kind == "u64" then return range:le_uint64() end
  return range:le_uint()
end
function Reader:onlyZeros()
  for i = self.at, self.length - 1 do if self.buffer(i, 1):uint() ~= 0 then return false end end
  return true
end

local readElements

local function isPresent(reader, when, fields)
  for _, one in ipairs(when or {}) do
    if one.usually ~= nil then
      if not one.usually then return false end
    elseif one.left == "some" then
      if reader:left() == 0 then return false end
    elseif one.left then
      if reader:left() ~= one.left then return false end
    elseif fields[one.field] ~= one.equals then return false end
  end
  return true
end

-- Runs a step. If it fails, the reader is reset to its state before the step.
local function tries(reader, step)
  local at, count = reader.at, #reader.notes
  if pcall(step) then return true end
  reader.at = at
  for i = #reader.notes, count + 1, -1 do reader.notes[i] = nil end
  return false
end

local function readText(reader, element, path)
  local from = reader.at
  while reader.at < reader.length and reader.buffer(reader.at, 1):uint() ~= 0 do reader.at = reader.at + 1 end
  if reader.at < reader.length then reader.at = reader.at + 1
  elseif not element.unterminated then reader.at = from; error({ path = path }) end
  reader:note(path, from, "text")
end

local function readMatch(reader, path, kind, pattern, fallback)
  local from = reader.at
  local found = string.match(reader:text(), pattern) or (fallback and string.match(reader:text(), fallback))
  if not found then return false end
  reader.at = from + #found
  reader:note(path, from, kind)
  return found
end

local function readLiteral(reader, element, path)
  local from = reader.at
  local text = element.text
  if element.optional then
    for i = 1, #text do
      if reader:left() > 0 and reader.buffer(reader.at, 1):uint() == string.byte(text, i) then reader.at = reader.at + 1 end
    end
    if reader.at > from then reader:note(path, from, "literal") end
    return
  end
  local rest = reader:text()
  if string.sub(rest, 1, #text) == text then reader.at = from + #text
  elseif string.sub(text, -1) == "\0" and rest == string.sub(text, 1, -2) then reader.at = from + #rest
  else error({ path = path }) end
  reader:note(path, from, "literal")
end

local BELIEVABLE = 0x01000000

local function readList(reader, element, prefix, fields)
  local from = reader.at
  local announced = reader:number(element.count.kind, element.count.name)
  reader:note(prefix .. element.count.name, from, element.count.kind)
  local path = prefix .. element.name .. "."
  local entries = 0
  local function readOn(most)
    while entries < most and reader:left() > 0 do
      if most == math.huge and reader:onlyZeros() then return end
      if entries > element.max or not tries(reader, function() readElements(reader, element.entry, path, {}) end) then return end
      entries = entries + 1
    end
  end
  readOn(announced)
  if reader:left() == 0 then return end
  if element.appended and entries > 0 then
    local size = 0
    for _, one in ipairs(element.appended) do size = size + SIZES[one.kind] end
    if reader:left() == entries * size then
      local isBelievable = tries(reader, function()
        for _ = 1, entries do
          for _, one in ipairs(element.appended) do
            local at = reader.at
            if math.abs(reader:number(one.kind, one.name)) > BELIEVABLE then error({ path = one.name }) end
            reader:note(path .. one.name, at, one.kind)
          end
        end
      end)
      if isBelievable then return end
    end
  end
  if not reader:onlyZeros() then readOn(math.huge) end
end

local function readAddresses(reader, path)
  if reader:left() % 6 == 2 and reader.buffer(reader.at, 2):uint() == 0 then
    reader.at = reader.at + 2
    reader:note("padding", reader.at - 2, "bytes")
  end
  while reader:left() >= 6 do
    local from = reader.at
    reader.at = from + 6
    local isEnd = reader.buffer(from, 4):uint() == 0 and reader.buffer(from + 4, 2):uint() == 0
    reader:note(isEnd and "end" or path, from, "addresses")
    if isEnd then return end
  end
end

local function readElement(reader, element, prefix, fields)
  local kind, name = element.kind, element.name
  local path = prefix .. name
  local from = reader.at
  if kind == "text" then readText(reader, element, path)
  elseif kind == "flag" or kind == "marker" then
    local value = reader:number("u8", path)
    fields[name] = value
    if kind == "flag" then fields[name] = value ~= 0 end
    reader:note(path, from, kind)
  elseif kind == "code" then
    local value = reader:number("u8", path)
    fields[name] = value
    for _, one in ipairs(element.names) do
      for _, code in ipairs(one.codes) do if code == value then fields[name] = one.word end end
    end
    reader:note(path, from, kind)
  elseif kind == "group" then readElements(reader, element.fields, path .. ".", {})
  elseif kind == "bits" then
    if reader:left() == 0 then return end
    local bits = reader:number("u8", path)
    reader:note(path, from, kind)
    for _, one in ipairs(element.fields) do
      if bit.band(bits, one.bit) ~= 0 and not tries(reader, function() readElement(reader, one.element, prefix, fields) end) then return end
    end
  elseif kind == "list" then readList(reader, element, prefix, fields)
  elseif kind == "literal" then readLiteral(reader, element, path)
  elseif kind == "decimal" then
    local found
    if element.optional then found = readMatch(reader, path, kind, "^%-?%d+ ")
    else found = readMatch(reader, path, kind, "^%-?%d+") end
    if not found and not element.optional then error({ path = path }) end
    fields[name] = found and tonumber(found)
  elseif kind == "hexadecimal" then
    if not readMatch(reader, path, kind, "^%x+") then error({ path = path }) end
  elseif kind == "word" then readMatch(reader, path, kind, "^ [!-~]+")
  elseif kind == "quoted" then
    if not readMatch(reader, path, kind, "^\"[^\"%z]*\" ?", "^[^%s\"%z]+ ?") then error({ path = path }) end
  elseif kind == "bytes" then
    local size = reader:left()
    if element.size then size = fields[element.size] end
    reader:need(size, path)
    reader.at = from + size
    reader:note(path, from, kind)
  elseif kind == "addresses" then readAddresses(reader, path)
  else
    fields[name] = reader:number(kind, path)
    reader:note(path, from, kind)
  end
end

readElements = function(reader, elements, prefix, fields)
  for _, element in ipairs(elements) do
    if isPresent(reader, element.when, fields) then readElement(reader, element, prefix, fields) end
  end
end

local function begins(buffer, text)
  local size = #text
  return buffer:len() >= 4 + size and buffer:raw(4, size) == text
end
local function onlyPaddingFrom(buffer, at)
  return not string.find(buffer:raw(at, buffer:len() - at), "[^%z\n ]")
end

local byType = {}
for tag, message in pairs(messages) do
  if message.type and not byType[message.type] then byType[message.type] = tag end
end

-- Identifies the message of a datagram by the same rules as packages/protocol/src/Datagram.ts.
local function tagOf(buffer)
  local kind = buffer(4, 1):uint()
  if kind == 0x41 then
    if buffer:len() <= 9 then return "ChallengeReply" end
    if buffer:len() > 9 and buffer(5, 4):le_uint() == 0x5a4f4933 then return "HandshakeChallenge" end
    if begins(buffer, "A00000000 ") then return "GoldSourceHandshakeChallenge" end
    if onlyPaddingFrom(buffer, 9) then return "ChallengeReply" end
    return "CsgoHandshakeChallenge"
  elseif kind == 0x71 then return begins(buffer, "qconnect") and "CsgoHandshakeRequest" or "HandshakeRequest"
  elseif kind == 0x6b then
    return buffer:len() >= 9 and buffer(5, 4):le_uint() > 255 and "CsgoConnectRequest" or "ConnectRequest"
  elseif kind == 0x69 then
    if onlyPaddingFrom(buffer, 5) then return "PingRequest" end
    return begins(buffer, "i\0sourcewire age") and "ProxyAgeRequest" or "UnknownMessage"
  elseif kind == 0x6c then return begins(buffer, "log L ") and "GoldSourceLogLine" or "PrintReply"
  elseif kind == 0x66 then return begins(buffer, "f\n") and "MasterReply" or "UnknownMessage"
  elseif byType[kind] then return byType[kind]
  elseif begins(buffer, "rcon ") then return "RconRequest"
  elseif begins(buffer, "print\n") then return "QuakePrint"
  elseif begins(buffer, "s\n") and buffer:len() >= 10 then return "MasterChallenge"
  elseif begins(buffer, "getchallenge") then
    local next = buffer:len() > 16 and buffer(16, 1):uint() or 0
    return (next == 0 or next == 10 or next == 32) and "GoldSourceHandshakeRequest" or "UnknownMessage"
  elseif begins(buffer, "challenge rcon") then
    if onlyPaddingFrom(buffer, 18) then return "RconChallengeRequest" end
    return begins(buffer, "challenge rcon ") and "RconChallengeReply" or "UnknownMessage"
  end
  return "UnknownMessage"
end

local function isMessage(buffer)
  return buffer:len() >= 5 and buffer(0, 4):uint() == 0xffffffff and buffer(4, 1):uint() ~= 0xff
end

function sourcewire.dissector(buffer, pinfo, tree)
  if not isMessage(buffer) then return 0 end
  local tag = tagOf(buffer)
  local message = messages[tag]
  pinfo.cols.protocol = "A2S"
  pinfo.cols.info = tag .. " (" .. message.valve .. ")"
  local own = tree:add(sourcewire, buffer(), "Game-server query: " .. tag .. ", " .. message.valve)
  own:add(messageName, buffer(4, 1), tag):set_generated()
  local reader = setmetatable({ buffer = buffer, length = buffer:len(), at = 4, notes = {} }, Reader)
  reader:note("header", 0, "i32")
  local isRead, fault = pcall(function()
    if message.type then
      reader.at = 5
      reader:note("type", 4, "u8")
    end
    readElements(reader, message.fields, "", {})
  end)
  if reader:left() > 0 then
    local from = reader.at
    reader.at = reader.length
    reader:note(isRead and "trailing" or "unread", from, "bytes")
  end
  for _, note in ipairs(reader.notes) do
    local range = buffer(note.from, note.length)
    local field = known[abbreviation(tag, note.path)]
    if note.length == 0 and note.kind ~= "text" then
      -- Nothing to show.
    elseif SIZES[note.kind] and note.kind ~= "u8" then own:add_le(field, range)
    elseif note.kind == "addresses" then
      local text = string.format("%s:%d", tostring(buffer(note.from, 4):ipv4()), buffer(note.from + 4, 2):uint())
      own:add(field, range, text)
    elseif note.kind == "text" and note.length > 0 then own:add_packet_field(field, range, ENC_UTF_8)
    else own:add(field, range) end
  end
  if not isRead then own:add_proto_expert_info(malformed, "cannot decode " .. tostring(type(fault) == "table" and fault.path or fault)) end
  return buffer:len()
end

local udp = DissectorTable.get("udp.port")
for _, port in ipairs({ 27010, 27011, 27015, 27016, 27017, 27018, 27019, 27020 }) do udp:add(port, sourcewire) end
sourcewire:register_heuristic("udp", function(buffer, pinfo, tree)
  if not isMessage(buffer) then return false end
  sourcewire.dissector(buffer, pinfo, tree)
  return true
end)
