/**
 * The connectionless messages with which a client joins a server. Real servers use three forms of these messages:
 * - the form of Source 2013, which contains a magic number,
 * - the form of CS:GO and related games,
 * - the form of GoldSource, which is text.
 */
import { HANDSHAKE_MAGIC, MAX_PROTOCOL_VERSION } from "../Wire.ts"
import type { Declarations, Element, Presence } from "./Declaration.ts"

const SOURCE = "004; public captures of Source 2013 servers"
const CSGO = "public captures and published descriptions of CS:GO servers"

const STEAM: ReadonlyArray<Presence> = [{ field: "authProtocol", equals: 3 }]
const AUTH_PROTOCOLS = { 1: "certificate", 2: "hashed CD key", 3: "Steam" }

const authProtocol: Element = {
  kind: "u32",
  name: "authProtocol",
  values: AUTH_PROTOCOLS,
  doc: "How the server authenticates users: 1 certificate, 2 hashed CD key, 3 Steam."
}
const steamId: Element = { kind: "u64", name: "steamId", means: "steamId", doc: "SteamID of the server." }
const vac: Element = { kind: "flag", name: "vac", doc: "1 if Valve Anti-Cheat is on." }
const password: Element = { kind: "text", name: "password", doc: "The server's password; empty if there is none." }

/** A regular expression for a number and a text, the two fields that follow the type byte 0x42 in the form of Source 2013. */
const NUMBER_AND_TEXT = /* @__PURE__ */ (() => String.raw`^[\s\S]{4}[ -~]*\0*$`)()

const lineEnd: Element = {
  kind: "literal",
  name: "end",
  text: "\n\0",
  optional: true,
  doc: "Newline and NUL; both may be missing."
}

// The object is created in a function that is marked as pure, because esbuild would otherwise keep an unused object with spreads and calls.
export const handshake: Declarations = /* @__PURE__ */ (() => ({
  HandshakeRequest: {
    valve: "A2S_GETCHALLENGE",
    direction: "request",
    doc: "Starts the handshake with a Source server, in the form of Source 2013.",
    sources: SOURCE,
    fields: [
      { kind: "i32", name: "challenge", doc: "A number that the client chooses and the reply repeats." },
      { kind: "text", name: "payload", unterminated: "fine", doc: "Clients send `0000000000`." }
    ]
  },
  CsgoHandshakeRequest: {
    valve: "A2S_GETCHALLENGE (CS:GO)",
    direction: "request",
    doc: "Starts the handshake with a CS:GO server. The word `connect` after the type byte distinguishes this request from a request in the form of Source 2013.",
    sources: CSGO,
    fields: [
      { kind: "literal", name: "word", text: "connect0x", doc: "A fixed text." },
      {
        kind: "hexadecimal",
        name: "challenge",
        means: "challenge",
        doc: "The challenge from the server's previous reply; 00000000 in the first request."
      },
      { kind: "literal", name: "end", text: "\0", optional: true, doc: "A NUL at the end of the text; may be missing." }
    ]
  },
  GoldSourceHandshakeRequest: {
    valve: "getchallenge",
    direction: "request",
    doc: "Starts the handshake with a GoldSource server. The request is text after FF FF FF FF.",
    sources: "recordings of ReHLDS, HLTV and Xash3D",
    fields: [
      { kind: "literal", name: "command", text: "getchallenge", doc: "The command." },
      { kind: "word", name: "argument", doc: "`steam` from clients that use Steam." },
      lineEnd
    ]
  },
  HandshakeChallenge: {
    valve: "S2C_CHALLENGE (Source 2013)",
    direction: "reply",
    doc: "The reply to a handshake request. It has the same type byte as the S2C_CHALLENGE of a query; the magic number distinguishes the two messages. Relays, LAN servers and servers without Steam use authentication protocol 2. Their reply ends after the field `authProtocol`, at byte 21.",
    sources: SOURCE,
    fields: [
      { kind: "literal", name: "magic", text: HANDSHAKE_MAGIC, doc: "0x5A4F4933." },
      { kind: "i32", name: "serverChallenge", means: "challenge", doc: "A new challenge from the server." },
      { kind: "i32", name: "clientChallenge", doc: "The client's number, copied from the handshake request." },
      authProtocol,
      {
        kind: "u16",
        name: "encryptionKeySize",
        doc: "Size of the key that follows, in bytes. Current servers send 0.",
        when: STEAM
      },
      { kind: "bytes", name: "encryptionKey", size: { field: "encryptionKeySize" }, doc: "The key.", when: STEAM },
      { ...steamId, when: STEAM },
      { ...vac, when: STEAM },
      { kind: "bytes", name: "rest", size: "rest", doc: "Padding. Known servers send `000000` and a NUL.", when: STEAM }
    ]
  },
  CsgoHandshakeChallenge: {
    valve: "S2C_CHALLENGE (CS:GO)",
    direction: "reply",
    doc: "The reply of a CS:GO server to a handshake request. It has no magic number and does not repeat the client's number.",
    sources: CSGO,
    fields: [
      { kind: "i32", name: "challenge", means: "challenge", doc: "The server's challenge." },
      { ...authProtocol, range: { min: 1, max: 3 } },
      { kind: "u16", name: "encryption", doc: "Whether Steam's old encryption is on. Current servers send 0." },
      steamId,
      vac,
      {
        kind: "text",
        name: "context",
        doc: "The next step for the client. If this field repeats the text of the request, the client may connect. `connect-retry`: repeat the request with the challenge of this reply. `connect-lan-only`: only LAN clients can join. `connect-matchmaking-only`: only clients from matchmaking can join."
      },
      { kind: "u32", name: "hostVersion", doc: "Version of the server's program." },
      { kind: "text", name: "lobbyType", doc: "Type of the lobby, for example `public`. Empty if there is no lobby." },
      { kind: "flag", name: "passwordRequired", doc: "1 if players need a password to join." },
      { kind: "u64", name: "lobbyId", doc: "Id of the lobby; 0 or 2^64 − 1 if there is no lobby." },
      { kind: "flag", name: "friendsRequired", doc: "1 if only friends may connect directly." },
      { kind: "flag", name: "valveServer", doc: "1 on Valve's own servers." },
      {
        kind: "flag",
        name: "certificateRequired",
        doc: "1 if players need a certificate to join. Older servers omit this field.",
        when: [{ left: "some" }]
      },
      ...(["publicKey", "signature"] as const).flatMap((name): ReadonlyArray<Element> => {
        const when: ReadonlyArray<Presence> = [{ field: "certificateRequired", equals: true }]
        const size = `${name}Size`
        return [
          { kind: "u32", name: size, doc: `Size of \`${name}\`, in bytes.`, when },
          {
            kind: "bytes",
            name,
            size: { field: size },
            doc: `The ${name === "publicKey" ? "public key" : name} of the certificate.`,
            when
          }
        ]
      })
    ]
  },
  GoldSourceHandshakeChallenge: {
    valve: "S2C_CHALLENGE (GoldSource)",
    direction: "reply",
    doc: "The reply of a GoldSource server to `getchallenge`: the type byte, then text. Eight zeros distinguish this reply from other messages with the same type byte.",
    sources: "recordings of ReHLDS and HLTV",
    fields: [
      { kind: "literal", name: "zeros", text: "00000000 ", doc: "Always eight zeros and a space." },
      { kind: "decimal", name: "serverChallenge", doc: "The server's challenge, unsigned." },
      { kind: "literal", name: "blank", text: " ", doc: "A blank." },
      { kind: "decimal", name: "authProtocol", doc: "How the server authenticates users: 2 hashed CD key, 3 Steam." },
      { kind: "literal", name: "secondBlank", text: " ", doc: "A blank.", when: STEAM },
      { kind: "decimal", name: "steamId", as: "u64", doc: "SteamID of the server.", when: STEAM },
      { kind: "literal", name: "thirdBlank", text: " ", doc: "A blank.", when: STEAM },
      { kind: "decimal", name: "vac", as: "flag", doc: "1 if Valve Anti-Cheat is on.", when: STEAM },
      lineEnd
    ]
  },
  ConnectRequest: {
    valve: "C2S_CONNECT",
    direction: "request",
    doc: "Requests to join a Source 2013 server. The first number is the protocol version, which is below 256. In CS:GO's form, the first number is the version of the program, which is above 255.",
    sources: SOURCE,
    secret: true,
    fields: [
      {
        kind: "u32",
        name: "protocolVersion",
        range: { min: 0, max: MAX_PROTOCOL_VERSION },
        doc: "Version of the network protocol: 24 in Source 2013."
      },
      authProtocol,
      {
        kind: "i32",
        name: "serverChallenge",
        means: "challenge",
        doc: "The server's challenge, from its reply to the handshake request."
      },
      { kind: "i32", name: "clientChallenge", doc: "The client's number, as in its handshake request." },
      { kind: "text", name: "name", doc: "Name of the player." },
      password,
      { kind: "text", name: "version", doc: "Version of the client's game, as in INFO." },
      {
        kind: "text",
        name: "hashedKey",
        doc: "The hashed CD key.",
        when: [{ field: "authProtocol", equals: 2 }]
      },
      { kind: "u16", name: "ticketSize", doc: "Size of the ticket, in bytes.", when: STEAM },
      { kind: "bytes", name: "ticket", size: { field: "ticketSize" }, doc: "The user's Steam ticket.", when: STEAM }
    ]
  },
  CsgoConnectRequest: {
    valve: "C2S_CONNECT (CS:GO)",
    direction: "request",
    doc: "Requests to join a CS:GO server. The fields after the number of players are not aligned to bytes. Therefore `rest` contains all these fields.",
    sources: "published descriptions of CS:GO's handshake",
    secret: true,
    fields: [
      {
        kind: "u32",
        name: "hostVersion",
        range: { min: MAX_PROTOCOL_VERSION + 1, max: 0xffff_ffff },
        doc: "Version of the client's program. The version of the server's program must be the same."
      },
      { ...authProtocol, range: { min: 1, max: 3 } },
      { kind: "i32", name: "challenge", means: "challenge", doc: "The server's challenge." },
      { kind: "text", name: "name", doc: "Always empty: `rest` contains the names of the players." },
      password,
      { kind: "u8", name: "players", doc: "Number of players on this connection; more than one with a split screen." },
      {
        kind: "bytes",
        name: "rest",
        size: "rest",
        doc: "Settings of the players, reservation, platform, Steam ticket."
      }
    ]
  },
  ConnectionAccepted: {
    valve: "S2C_CONNECTION",
    direction: "reply",
    doc: "The server accepts the client. The message of a CS:GO server is returned as `payload`, because its layout is not documented.",
    sources: SOURCE,
    fields: [
      {
        kind: "bytes",
        name: "payload",
        size: "rest",
        doc: "All bytes after the type.",
        when: [{ misses: NUMBER_AND_TEXT, text: "if the bytes after the type are not a number and a text" }]
      },
      {
        kind: "i32",
        name: "clientChallenge",
        doc: "The client's number, copied from the handshake request.",
        when: [{ left: "some" }]
      },
      {
        kind: "text",
        name: "text",
        unterminated: "fine",
        doc: "Servers send `0000000000`.",
        when: [{ left: "some" }]
      }
    ]
  },
  ConnectionMessage: {
    valve: "connection-based message",
    direction: "both",
    doc: "A message of an open connection. It does not start with FF FF FF FF.",
    sources: "004",
    bare: true,
    fields: [
      { kind: "i32", name: "messageId", doc: "Id of the message. Each side counts its messages from 1." },
      { kind: "i32", name: "responseId", doc: "Id of the message to which this message replies; 0 if there is none." },
      { kind: "u8", name: "type", doc: "Document 004 lists 0x20, 0x21 and 0xA1, but does not explain them." },
      { kind: "bytes", name: "payload", size: "rest", doc: "All bytes after the type." }
    ]
  }
}))()
