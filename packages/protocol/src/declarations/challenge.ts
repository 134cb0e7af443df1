/** Challenges: prove that you get what is sent to your address. */
import type { Declarations, Element } from "./Declaration.ts"

/** Where PLAYER and RULES bring the number back. */
export const broughtBack: Element = {
  kind: "i32",
  name: "challenge",
  means: "challenge",
  doc: "The number of S2C_CHALLENGE, or −1 to get one; some clients leave it out.",
  when: [{ left: "some" }]
}

export const challenge: Declarations = {
  GetChallengeRequest: {
    valve: "A2S_SERVERQUERY_GETCHALLENGE",
    direction: "request",
    doc: "Asks for a challenge. Obsolete: only old engines answer it.",
    sources: "000, 001, 002 (whose 'i' is A2A_PING), 003",
    fields: []
  },
  ChallengeReply: {
    valve: "S2C_CHALLENGE",
    direction: "reply",
    doc: "The number to send along with the query. 0 and negative numbers are as good as any.",
    sources: "000 (its example with five FF is malformed), 001, 002, 003, 004",
    fields: [{ kind: "i32", name: "challenge", means: "challenge", doc: "The challenge." }]
  }
}
