/** Network and challenges: repeated challenges, packet loss, spoofed replies. */
import type { Faults } from "../Faults.ts"
import { profiles } from "../profiles/index.ts"
import { type Scenario, expectProfileData } from "./Scenario.ts"

const css = profiles.css()
const tf2 = profiles.tf2()

const forAll = (name: string, faults: Faults): ReadonlyArray<Scenario> => [
  { ...expectProfileData(`${name}, INFO`, css, "info"), faults },
  { ...expectProfileData(`${name}, PLAYER`, css, "players"), faults },
  { ...expectProfileData(`${name}, RULES`, css, "rules"), faults }
]

/** Faults of servers and networks that can affect any query. */
export const networkScenarios: ReadonlyArray<Scenario> = [
  ...forAll("a second, new challenge", { rechallenge: 1 }),
  ...forAll("three new challenges", { rechallenge: 3 }),
  ...forAll("the same challenge again", { rechallenge: 1, sameChallenge: true }),
  ...forAll("first datagram lost", { dropFirst: 1 }),
  ...forAll("a spoofed reply of another sender first", { spoof: true }),
  ...forAll("everything twice", { duplicate: 1 }),
  ...forAll("datagrams that overtake each other", { delayMs: 1, jitterMs: 20 }),
  {
    name: "challenges without end",
    profile: css,
    faults: { rechallenge: 1000 },
    expected: { ask: "players", failsWith: "TooManyChallenges" }
  },
  {
    name: "a wrong CRC32",
    profile: tf2,
    faults: { badChecksum: true },
    expected: { ask: "rules", failsWith: "ChecksumMismatch" }
  },
  { name: "a ban", profile: css, faults: { ban: true }, expected: { ask: "info", failsWith: "Refused" } }
]
