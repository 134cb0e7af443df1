/** Tests the definition of a retry in docs/how-to/query-from-a-program.md, section "Set time limits and retries". */
import { expect, it } from "vitest"
import { toHex } from "@sourcewire/protocol"
import { RoundTrip } from "../../src/engine/Retry.ts"
import { DEFAULT_RETRIES } from "../../src/Limits.ts"
import { withLifeSigns } from "../../src/query/lifeSigns.ts"
import * as Query from "../../src/query/Query.ts"
import { QueryExchange } from "../../src/query/QueryExchange.ts"
import { drive, type Server } from "../drive.ts"
import * as messages from "../messages.ts"

const CHALLENGE = "0a0b0c0d"
const silent: Server = () => []

/**
 * Runs a query. Returns the type byte of each request in hex, in the order in which the requests were sent. The sign `+` marks requests
 * that contain the challenge.
 */
const sentBy = (query: Query.Query<unknown>, server: Server, retries: number): ReadonlyArray<string> => {
  const settings = { timeoutMs: 60_000, retries, encoding: "auto", random: () => 0.5 } as const
  const { sent } = drive(new QueryExchange(query, settings, new RoundTrip()), server)
  return sent.map(({ hex }) => hex.slice(8, 10) + (hex.endsWith(CHALLENGE) ? "+" : ""))
}

it("retries include retransmissions of a request that got no reply", () => {
  expect(sentBy(Query.info, silent, 0)).toEqual(["54"])
  expect(sentBy(Query.info, silent, 3)).toEqual(["54", "54", "54", "54"])
})

it("retries include the alternate requests of `ping` and `challenge`", () => {
  expect(sentBy(Query.anyPing, silent, 3)).toEqual(["69", "54", "69", "54"])
  expect(sentBy(Query.challenge, silent, 2)).toEqual(["57", "55", "57"])
})

it("retries do not include the request with the challenge, and the first challenge resets the number of retries to 0", () => {
  const challenging: Server = (request, nth) =>
    nth === 3 && !request.endsWith(CHALLENGE) ? [{ hex: messages.challengeHex(CHALLENGE), after: 20 }] : []
  expect(sentBy(Query.info, challenging, 2)).toEqual(["54", "54", "54", "54+", "54+", "54"])
  const willing: Server = (request) => [
    { hex: request.endsWith(CHALLENGE) ? messages.INFO : messages.challengeHex(CHALLENGE), after: 20 }
  ]
  expect(sentBy(Query.info, willing, 0)).toEqual(["54", "54+"])
})

const damaged: Server = () => [{ hex: messages.INFO.slice(0, 20), after: 20 }]

it("retries do not include the request after a damaged reply", () => {
  const once: Server = (request, nth, at) => (nth === 1 ? damaged(request, nth, at) : [])
  expect(sentBy(Query.info, damaged, 3)).toEqual(["54", "54"])
  expect(sentBy(Query.info, once, 2)).toEqual(["54", "54", "54", "54"])
})

it("the request after a damaged reply is not sent if `retries` is 0", () => {
  expect(sentBy(Query.info, damaged, 0)).toEqual(["54"])
})

it("retries do not include the GETCHALLENGE requests after the second and each later retry of PLAYER or RULES", () => {
  expect(sentBy(Query.players, silent, 4)).toEqual(["55", "55", "55", "57", "55", "57", "55", "57"])
  expect(sentBy(Query.rules, silent, 4)).toEqual(["56", "56", "56", "57", "56", "57", "56", "57"])
})

it("retries do not include requests for signs of life, which are not sent if `retries` is below the default", () => {
  for (const retries of [DEFAULT_RETRIES, DEFAULT_RETRIES - 1]) {
    const settings = { timeoutMs: 3000, retries, encoding: "auto", random: () => 0.5 } as const
    const exchange = new QueryExchange<unknown>(Query.info, settings, new RoundTrip())
    const { sent } = drive(exchange, silent, [], () => withLifeSigns(exchange, "A2S_INFO", settings, 0))
    const signs = sent.filter(({ hex }) => hex !== toHex(Query.info.opening))
    expect([signs.length, sent.length - signs.length <= 1 + retries]).toEqual([
      retries === DEFAULT_RETRIES ? 3 : 0,
      true
    ])
  }
})
