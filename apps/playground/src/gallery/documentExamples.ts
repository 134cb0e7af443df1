/**
 * The hex examples of the five protocol documents.
 *
 * @module
 */
import type { Example } from "./Example.ts"

/** In the order of a first conversation: requests, challenges, replies. */
export const documentExamples: ReadonlyArray<Example> = [
  {
    id: "info-css",
    title: "INFO of Counter-Strike: Source",
    source: "document 001",
    look: "The plain case: five texts, then one byte after the other, and the version at the end. No extra data follows."
  },
  {
    id: "info-2004",
    title: "INFO of 2004",
    source: "document 000",
    look: "The oldest layout. It ends right after the version: there is no byte of extra data flags to read."
  },
  {
    id: "info-the-ship",
    title: "INFO of The Ship",
    source: "document 001",
    look: "Application 2400 has three fields that no other game has, between VAC and version."
  },
  {
    id: "info-sin",
    title: "INFO of SiN Episodes",
    source: "document 001",
    look: "A short reply of an early Source game, with the protocol number 7 that says so."
  },
  {
    id: "info-rag-doll-kung-fu",
    title: "INFO of Rag Doll Kung Fu",
    source: "document 001",
    look: "The server type is the byte 0, which no table lists. It stays a number and is no error."
  },
  {
    id: "info-goldsource",
    title: "INFO in GoldSource’s dialect",
    source: "document 003",
    look: "Type 0x6D: the address comes first, and since the mod byte is 1, a block about the mod stands in the middle."
  },
  {
    id: "info-request",
    title: "A2S_INFO",
    source: "document 001",
    look: "The question that starts everything: a type byte and a fixed text."
  },
  {
    id: "challenge-reply-to-info",
    title: "A challenge in reply to INFO",
    source: "document 003",
    look: "Since December 2020 servers may ask to see a number again before they send more than they got."
  },
  {
    id: "info-request-with-challenge",
    title: "A2S_INFO with the challenge",
    source: "document 003",
    look: "The same question, and the four bytes of the challenge behind its text."
  },
  {
    id: "players-request-no-challenge",
    title: "A2S_PLAYER without a challenge",
    source: "document 003",
    look: "The challenge −1 means: give me one."
  },
  {
    id: "challenge-reply-to-players",
    title: "S2C_CHALLENGE",
    source: "document 003",
    look: "Nine bytes, of which the last four are to be sent back as they are."
  },
  {
    id: "players-request",
    title: "A2S_PLAYER",
    source: "document 003",
    look: "The same four bytes as in the challenge before."
  },
  {
    id: "players",
    title: "The players",
    source: "document 003",
    look: "Each has an index, a name, a score and a duration in seconds as a 32-bit float."
  },
  {
    id: "players-the-ship",
    title: "The players of The Ship, cut",
    source: "document 003",
    look: "19 players are announced, 6 came. Deaths and money stand behind all players, a pair for each: follow one player’s bytes."
  },
  {
    id: "rules-request-no-challenge",
    title: "A2S_RULES without a challenge",
    source: "document 003",
    look: "Like A2S_PLAYER, with another type byte."
  },
  {
    id: "rules-request",
    title: "A2S_RULES",
    source: "document 003",
    look: "The challenge is the one that the server gave for the players: it is good for both."
  },
  {
    id: "rules-goldsource-split",
    title: "93 rules in two datagrams",
    source: "document 003",
    look: "One rule begins in the first datagram and ends in the second: point at it to see both of its ends."
  },
  {
    id: "rules-goldsource-split-reversed",
    title: "The same, in the wrong order",
    source: "document 003",
    look: "UDP keeps no order. The number in the upper half of byte 8 puts the fragments right."
  },
  {
    id: "getchallenge-request",
    title: "GETCHALLENGE",
    source: "document 000",
    look: "A query of its own for the challenge. Few servers answer it today."
  },
  {
    id: "getchallenge-reply",
    title: "The reply to GETCHALLENGE",
    source: "document 003",
    look: "No different from the challenge that any other query may get."
  },
  {
    id: "challenge-reply",
    title: "A challenge",
    source: "document 001",
    look: "The number is signed and little-endian; it has no meaning but to be sent back."
  },
  {
    id: "challenge-reply-hl1",
    title: "A challenge of Half-Life 1",
    source: "document 002",
    look: "The same layout on the older engine."
  },
  {
    id: "challenge-malformed-2004",
    title: "A challenge that is none",
    source: "document 000",
    look: "The document prints five FF in front. Taken at its word every field would shift, so it is refused, at the byte that is too many."
  },
  {
    id: "ping-request",
    title: "A2A_PING",
    source: "document 003",
    look: "A single letter i. It is easily confused with GETCHALLENGE, which document 002 does."
  },
  {
    id: "ping-reply-source",
    title: "The pong of Source",
    source: "document 001",
    look: "Fourteen zeros as text and a NUL: the only part of it that matters is the letter j."
  },
  {
    id: "ping-reply-goldsource",
    title: "The pong of GoldSource",
    source: "document 003",
    look: "The same answer with nothing but a NUL."
  }
]
