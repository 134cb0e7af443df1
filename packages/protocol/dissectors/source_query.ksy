# Kaitai Struct specification of Valve's game-server queries. Generated from packages/protocol/src/declarations by `pnpm generate`;
# not to be edited.
meta:
  id: source_query
  title: "Valve's game-server queries (A2S), one datagram"
  license: MIT
  endian: le
  encoding: UTF-8
doc: "A whole datagram of the Source and GoldSource engines' query protocol. Join split replies (FE FF FF FF) first."
seq:
  - id: header
    contents: [255, 255, 255, 255]
  - id: type
    type: u1
  - id: body
    type:
      switch-on: kind
      cases:
        65: challenge_reply
        68: players_reply
        69: rules_reply
        73: info_reply
        82: log_line
        84: info_request
        85: players_request
        86: rules_request
        87: get_challenge_request
        102: master_reply
        106: ping_reply
        109: gold_source_info_reply
        321: handshake_challenge
    size-eos: true
instances:
  magic:
    pos: 5
    type: u4
    doc: Tells the challenge of a handshake from that of a query.
  kind:
    value: "type == 65 and _io.size > 9 ? (magic == 1515145523 ? 321 : 577) : type"
    doc: "The type, or a number of its own for what has the type of another message."
types:
  info_request:
    doc: "A2S_INFO: Requests basic facts about the server. Since 2021, a server may reply with a challenge. The client then repeats the request and appends the challenge."
    seq:
      - id: payload
        doc: "Always `Source Engine Query` and a NUL."
        type: strz
        eos-error: false
        valid: "'Source Engine Query'"
      - id: challenge
        type: s4
        doc: The number from S2C_CHALLENGE. The first request omits this field.
        if: not _io.eof
      - id: trailing
        size-eos: true
  info_reply:
    doc: "S2A_INFO_SRC: Basic facts about the server. Source and current GoldSource servers send this reply."
    seq:
      - id: protocol
        type: u1
        doc: "Version of the network protocol: 17 Source, 7 older Source, 47 and 48 GoldSource."
      - id: name
        doc: Name of the server.
        type: strz
      - id: map
        doc: Map being played.
        type: strz
      - id: folder
        doc: "Folder of the game, for example `cstrike`."
        type: strz
      - id: game
        doc: Full name of the game or of its mode.
        type: strz
      - id: app_id
        type: u2
        doc: "Steam's number for the game. If the reply has a `gameId`, the decoded value is the low 24 bits of the `gameId`."
      - id: players
        type: u1
        doc: "Players on the server, often including bots. If there are more than 255 players, some servers send the number modulo 256, and others send 255."
      - id: max_players
        type: u1
        doc: Maximum number of players.
      - id: bots
        type: u1
        doc: Bots on the server.
      - id: server_type
        doc: "`d` dedicated, `l` listen, `p` SourceTV or HLTV relay, `i` listen server of a Steam emulator; in upper or lower case. Rag Doll Kung Fu sends 0."
        type: u1
      - id: environment
        doc: "Operating system of the server: `l` Linux, `w` Windows, `m` or `o` macOS; in upper or lower case."
        type: u1
      - id: password_protected
        doc: "Visibility: 1 if players need a password to join."
        type: u1
      - id: vac
        doc: "1 if Valve Anti-Cheat is on."
        type: u1
      - id: the_ship
        doc: Fields that only The Ship sends.
        if: "app_id == 2400"
        type: the_ship
      - id: version
        doc: "Game version, for example `1.0.0.22`."
        type: strz
        eos-error: false
      - id: edf_fields
        type: edf_fields
        if: not _io.eof
      - id: trailing
        size-eos: true
    types:
      the_ship:
        seq:
          - id: mode
            doc: Game mode.
            type: u1
          - id: witnesses
            type: u1
            doc: Number of witnesses needed to arrest a player.
          - id: duration
            type: u1
            doc: Seconds until an observed player is arrested.
      source_tv:
        seq:
          - id: port
            type: u2
            doc: Port of SourceTV.
          - id: name
            doc: Name of SourceTV.
            type: strz
      edf_fields:
        seq:
          - id: edf
            type: u1
            doc: "Extra data flags, as sent: the bits announce `port`, `steamId`, `sourceTv`, `keywords` and `gameId`. Replies of old servers end before this byte."
          - id: port
            type: u2
            doc: "The server's game port."
            if: "(edf & 128) != 0"
          - id: steam_id
            type: u8
            doc: SteamID of the server.
            if: "(edf & 16) != 0"
          - id: source_tv
            doc: The SourceTV server for spectators.
            if: "(edf & 64) != 0"
            type: source_tv
          - id: keywords
            doc: "Tags (`sv_tags`); some games pack their own data here."
            if: "(edf & 32) != 0"
            type: strz
          - id: game_id
            type: u8
            doc: "64-bit game id; its low 24 bits are the app id."
            if: "(edf & 1) != 0"
  gold_source_info_reply:
    doc: "S2A_INFO_DETAILED: Basic facts about the server, in the older dialect, which GoldSource servers and HLTV proxies send. Some servers also send an InfoReply."
    seq:
      - id: address
        doc: "Address and port of the server, from its own configuration."
        type: strz
      - id: name
        doc: Name of the server.
        type: strz
      - id: map
        doc: Map being played.
        type: strz
      - id: folder
        doc: "Folder with the game's files."
        type: strz
      - id: game
        doc: Full name of the game.
        type: strz
      - id: players
        type: u1
        doc: "Players on the server, or spectators on an HLTV proxy."
      - id: max_players
        type: u1
        doc: Maximum number of players.
      - id: protocol
        type: u1
        doc: "Version of the network protocol, 47 or 48."
      - id: server_type
        doc: "`d` dedicated, `l` listen, `p` SourceTV or HLTV relay, `i` listen server of a Steam emulator; in upper or lower case. Rag Doll Kung Fu sends 0."
        type: u1
      - id: environment
        doc: "Operating system of the server: `l` Linux, `w` Windows, `m` or `o` macOS; in upper or lower case."
        type: u1
      - id: password_protected
        doc: "Visibility: 1 if players need a password to join."
        type: u1
      - id: is_mod
        doc: "1 if the fields of `mod` follow."
        type: u1
      - id: mod
        doc: The mod that the server runs.
        if: "is_mod == 1"
        type: mod
      - id: vac
        doc: "1 if Valve Anti-Cheat is on."
        type: u1
      - id: hltv
        doc: Fields that only HLTV proxies with 255 slots send.
        if: "(server_type == 112 or server_type == 80) and (_io.size - _io.pos == 8)"
        type: hltv
      - id: bots
        type: u1
        doc: Bots on the server. HLTV omits this field.
        if: not _io.eof
      - id: trailing
        size-eos: true
    types:
      mod:
        seq:
          - id: link
            doc: "The mod's web page."
            type: strz
          - id: download_link
            doc: Download page of the mod.
            type: strz
          - id: reserved
            doc: A text that real servers leave empty. The documents describe its NUL as a reserved byte.
            type: strz
          - id: version
            type: s4
            doc: Version of the mod.
          - id: size
            type: s4
            doc: "Size of the mod on disk, in bytes."
          - id: type
            doc: "Single-player and multiplayer, or only multiplayer."
            type: u1
          - id: dll
            doc: "Game library of the mod: Half-Life's, or its own."
            type: u1
      hltv:
        seq:
          - id: spectators
            type: u4
            doc: Spectators on the proxy.
          - id: slots
            type: u4
            doc: Maximum number of spectators.
  players_request:
    doc: "A2S_PLAYER: Requests the players. A request with challenge −1 requests a challenge."
    seq:
      - id: challenge
        type: s4
        doc: "The challenge from S2C_CHALLENGE, or −1 to request a challenge. Some clients omit this field."
        if: not _io.eof
      - id: trailing
        size-eos: true
  players_reply:
    doc: "S2A_PLAYER: The players, in the order of the datagram. Incomplete entries are omitted."
    seq:
      - id: announced
        type: u1
        doc: "The number of entries that the server announces, in one byte. Rust sends the count modulo 256; other games send at most 255."
      - id: players
        doc: The complete entries.
        type: player
        if: "announced > 0 and not _io.eof"
        repeat: until
        repeat-until: "_io.eof or _index + 1 == announced"
      - id: players_appended
        doc: "Further fields of each entry, after all entries."
        type: player_appended
        if: "announced > 0 and _io.size - _io.pos == announced * 8"
        repeat: expr
        repeat-expr: announced
      - id: players_beyond_count
        doc: "Entries beyond the count, which wraps or saturates."
        type: player
        if: not _io.eof
        repeat: eos
      - id: trailing
        size-eos: true
    types:
      player:
        seq:
          - id: index
            type: u1
            doc: "The player's index. Many games send 0 for all."
          - id: name
            doc: "The player's name; empty if the game hides it."
            type: strz
          - id: score
            type: s4
            doc: "Kills or points; may be negative."
          - id: duration
            type: f4
            doc: "Seconds on the server; −1 for bots of some engines."
      player_appended:
        seq:
          - id: deaths
            type: s4
            doc: "The Ship: deaths."
          - id: money
            type: s4
            doc: "The Ship: money."
  rules_request:
    doc: "A2S_RULES: Requests the rules. A request with challenge −1 requests a challenge."
    seq:
      - id: challenge
        type: s4
        doc: "The challenge from S2C_CHALLENGE, or −1 to request a challenge. Some clients omit this field."
        if: not _io.eof
      - id: trailing
        size-eos: true
  rules_reply:
    doc: "S2A_RULES: The rules, in the order of the datagram. Duplicates are included, and values are not changed."
    seq:
      - id: announced
        type: u2
        doc: The number of entries that the server announces.
      - id: rules
        doc: The complete entries.
        type: rule
        if: "announced > 0 and not _io.eof"
        repeat: until
        repeat-until: "_io.eof or _index + 1 == announced"
      - id: rules_beyond_count
        doc: "Entries beyond the count, which wraps or saturates."
        type: rule
        if: not _io.eof
        repeat: eos
      - id: trailing
        size-eos: true
    types:
      rule:
        seq:
          - id: name
            doc: Name of the console variable.
            type: strz
          - id: value
            doc: "Value of the console variable, as sent."
            type: strz
  get_challenge_request:
    doc: "A2S_SERVERQUERY_GETCHALLENGE: Requests a challenge. Obsolete: only old engines reply."
    seq:
      - id: trailing
        size-eos: true
  challenge_reply:
    doc: "S2C_CHALLENGE: Contains the number that the client must send in its next request. 0 and negative numbers are valid."
    seq:
      - id: challenge
        type: s4
        doc: The challenge.
      - id: trailing
        size-eos: true
  ping_reply:
    doc: "A2A_ACK: The reply to a ping."
    seq:
      - id: payload
        doc: "Empty on GoldSource, `00000000000000` on Source."
        type: strz
        eos-error: false
      - id: trailing
        size-eos: true
  log_line:
    doc: "S2A_LOGSTRING: A line of a Source server's log."
    seq:
      - id: line
        doc: "The unchanged line with a newline at its end, for example `L 06/28/2025 - 08:42:47: World triggered \"Round_Start\"`."
        type: strz
        eos-error: false
      - id: trailing
        size-eos: true
  master_reply:
    doc: "M2A_SERVER_BATCH: A page of addresses."
    seq:
      - id: newline
        doc: "0x0A."
        contents: [10]
      - id: padding
        size: 2
        if: "(_io.size - _io.pos) % 6 == 2"
      - id: servers
        doc: "The addresses of game servers: four bytes for the IP address and two bytes for the port, in network byte order. 0.0.0.0:0 ends the list."
        if: "_io.size - _io.pos >= 6"
        type: address
        repeat: until
        repeat-until: "_io.size - _io.pos < 6 or (_.ip == [0, 0, 0, 0] and _.port == 0)"
      - id: trailing
        size-eos: true
    types:
      address:
        seq:
          - id: ip
            size: 4
          - id: port
            type: u2be
  handshake_challenge:
    doc: "S2C_CHALLENGE (Source 2013): The reply to a handshake request. It has the same type byte as the S2C_CHALLENGE of a query; the magic number distinguishes the two messages. Relays, LAN servers and servers without Steam use authentication protocol 2. Their reply ends after the field `authProtocol`, at byte 21."
    seq:
      - id: magic
        doc: "0x5A4F4933."
        contents: [51, 73, 79, 90]
      - id: server_challenge
        type: s4
        doc: A new challenge from the server.
      - id: client_challenge
        type: s4
        doc: "The client's number, copied from the handshake request."
      - id: auth_protocol
        type: u4
        doc: "How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam."
      - id: encryption_key_size
        type: u2
        doc: "Size of the key that follows, in bytes. Current servers send 0."
        if: "auth_protocol == 3"
      - id: encryption_key
        doc: The key.
        if: "auth_protocol == 3"
        size: encryption_key_size
      - id: steam_id
        type: u8
        doc: SteamID of the server.
        if: "auth_protocol == 3"
      - id: vac
        doc: "1 if Valve Anti-Cheat is on."
        if: "auth_protocol == 3"
        type: u1
      - id: rest
        doc: "Padding. Known servers send `000000` and a NUL."
        if: "auth_protocol == 3"
        size-eos: true
