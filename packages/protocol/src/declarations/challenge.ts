/** Challenges, with which a client proves that it receives the datagrams sent to its address. */
import type { Declarations, Element } from "./Declaration.ts"

/** The challenge in PLAYER and RULES requests. */
export const returnedChallenge: Element = {
  kind: "i32",
  name: "challenge",
  means: "challenge",
  doc: "The challenge from S2C_CHALLENGE, or −1 to request a challenge. Some clients omit this field.",
  when: [{ left: "some" }]
}

export const challenge: Declarations = {
  GetChallengeRequest: {
    valve: "A2S_SERVERQUERY_GETCHALLENGE",
    direction: "request",
    doc: "Requests a challenge. Obsolete: only old engines reply.",
    sources: "000, 001, 002 (also names the type 'i', which is A2A_PING), 003",
    fields: []
  },
  ChallengeReply: {
    valve: "S2C_CHALLENGE",
    direction: "reply",
    doc: "Contains the number that the client must send in its next request. 0 and negative numbers are valid.",
    sources: "000 (its example with five FF is malformed), 001, 002, 003, 004",
    fields: [{ kind: "i32", name: "challenge", means: "challenge", doc: "The challenge." }]
  }
}
