/** Tests every event in every state of a query. A table contains the expected results. */
import { toHex } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { Step } from "../../src/engine/Exchange.ts"
import * as Query from "../../src/query/Query.ts"
import { QueryExchange, type QueryState } from "../../src/query/QueryExchange.ts"
import { parseHex } from "../drive.ts"
import * as messages from "../messages.ts"
import { settings } from "../oneQuery.ts"

const CHALLENGE = "01020304"
const ANOTHER = "05060708"
const [FIRST_FRAGMENT, ...OTHER_FRAGMENTS] = messages.RULES_SPLIT
/** Time of the events, in ms after the start of the exchange. */
const AT = 40

type AnyExchange = QueryExchange<unknown>

const started = (query: Query.Query<unknown>): AnyExchange => {
  const exchange = new QueryExchange(query, settings)
  exchange.start(0)
  return exchange
}

const receive = (exchange: AnyExchange, ...datagrams: ReadonlyArray<string>): Step =>
  datagrams.reduce<Step>((_, hex) => exchange.receive(parseHex(hex), AT), Step.Wait)

/** Functions that create a query in each state. The query is always INFO, because only INFO has two dialects. */
const STATES: { readonly [S in QueryState]: () => AnyExchange } = {
  requested: () => started(Query.info),
  challenged: () => {
    const exchange = started(Query.info)
    receive(exchange, messages.challengeHex(CHALLENGE))
    return exchange
  },
  joining: () => {
    const exchange = started(Query.info)
    receive(exchange, FIRST_FRAGMENT!)
    return exchange
  },
  holding: () => {
    const exchange = started(Query.info)
    receive(exchange, messages.LEGACY)
    return exchange
  },
  done: () => {
    const exchange = started(Query.info)
    receive(exchange, messages.INFO)
    return exchange
  }
}

const EVENTS = {
  "a challenge": (exchange) => receive(exchange, messages.challengeHex(ANOTHER)),
  "a fragment": (exchange) => receive(exchange, FIRST_FRAGMENT!),
  "the reply": (exchange) => receive(exchange, messages.INFO),
  "the reply in the old dialect": (exchange) => receive(exchange, messages.LEGACY),
  "a damaged reply": (exchange) => receive(exchange, "ffffffff49"),
  "two damaged replies": (exchange) => receive(exchange, "ffffffff49", "ffffffff49"),
  "another kind of reply": (exchange) => receive(exchange, messages.PLAYERS),
  "a rejection": (exchange) => receive(exchange, messages.BANNED),
  "a datagram of another protocol": (exchange) => receive(exchange, "00"),
  "a deadline without a reply": (exchange) => exchange.expire(exchange.deadline),
  "the timeout": (exchange) => exchange.expire(settings.timeoutMs)
} satisfies Readonly<Record<string, (exchange: AnyExchange) => Step>>

const { Done, Send, Wait } = Step
type Outcome = readonly [step: Step, state: QueryState, result?: string]
const unchanged: Outcome = [Done, "done", "InfoReply"]

/** The effect of each event in each state: the step, the next state, and the result if the query is done. */
const TABLE: { readonly [E in keyof typeof EVENTS]: { readonly [S in QueryState]: Outcome } } = {
  "a challenge": {
    requested: [Send, "challenged"],
    challenged: [Send, "challenged"],
    joining: [Send, "joining"],
    holding: [Send, "holding"],
    done: unchanged
  },
  "a fragment": {
    requested: [Wait, "joining"],
    challenged: [Wait, "joining"],
    joining: [Wait, "joining"],
    holding: [Wait, "holding"],
    done: unchanged
  },
  "the reply": {
    requested: [Done, "done", "InfoReply"],
    challenged: [Done, "done", "InfoReply"],
    joining: [Done, "done", "InfoReply"],
    holding: [Done, "done", "InfoReply"],
    done: unchanged
  },
  "the reply in the old dialect": {
    requested: [Wait, "holding"],
    challenged: [Wait, "holding"],
    joining: [Wait, "holding"],
    holding: [Wait, "holding"],
    done: unchanged
  },
  "a damaged reply": {
    requested: [Send, "requested"],
    challenged: [Send, "challenged"],
    joining: [Send, "joining"],
    holding: [Wait, "holding"],
    done: unchanged
  },
  "two damaged replies": {
    requested: [Done, "done", "Malformed"],
    challenged: [Done, "done", "Malformed"],
    joining: [Done, "done", "Malformed"],
    holding: [Wait, "holding"],
    done: unchanged
  },
  "another kind of reply": {
    requested: [Wait, "requested"],
    challenged: [Wait, "challenged"],
    joining: [Wait, "joining"],
    holding: [Wait, "holding"],
    done: unchanged
  },
  "a rejection": {
    requested: [Done, "done", "Refused"],
    challenged: [Done, "done", "Refused"],
    joining: [Done, "done", "Refused"],
    holding: [Done, "done", "Refused"],
    done: unchanged
  },
  "a datagram of another protocol": {
    requested: [Wait, "requested"],
    challenged: [Wait, "challenged"],
    joining: [Wait, "joining"],
    holding: [Wait, "holding"],
    done: unchanged
  },
  "a deadline without a reply": {
    requested: [Send, "requested"],
    challenged: [Send, "challenged"],
    joining: [Send, "joining"],
    holding: [Done, "done", "GoldSourceInfoReply"],
    done: unchanged
  },
  "the timeout": {
    requested: [Done, "done", "Timeout"],
    challenged: [Done, "done", "Timeout"],
    joining: [Done, "done", "Timeout"],
    holding: [Done, "done", "GoldSourceInfoReply"],
    done: unchanged
  }
}

const nameResult = ({ result }: AnyExchange): string | undefined => {
  if (result === undefined) return undefined
  return result._tag === "Success" ? (result.success as { readonly _tag: string })._tag : result.failure._tag
}

const names = <K extends string>(record: Readonly<Record<K, unknown>>): ReadonlyArray<K> =>
  Object.keys(record) as Array<K>

describe.each(names(STATES))("a query in the state `%s`", (state) => {
  it.each(names(EVENTS))("reacts to %s with the expected step, state and result", (event) => {
    const exchange = STATES[state]()
    expect(exchange.state).toBe(state)
    const step = EVENTS[event](exchange)
    expect([step, exchange.state, nameResult(exchange)]).toEqual([
      ...TABLE[event][state].slice(0, 2),
      TABLE[event][state][2]
    ])
    expect(Number.isFinite(exchange.deadline)).toBe(exchange.state !== "done")
  })
})

describe("the state of a query", () => {
  it("after a second challenge, the next request contains the second challenge instead of the first challenge", () => {
    const exchange = STATES.challenged()
    expect(toHex(exchange.packet)).toMatch(new RegExp(`${CHALLENGE}$`))
    receive(exchange, messages.challengeHex(ANOTHER))
    expect(toHex(exchange.packet)).toMatch(new RegExp(`${ANOTHER}$`))
  })

  it("changes from `joining` to `done` when all fragments have arrived", () => {
    const exchange = started(Query.rules)
    receive(exchange, FIRST_FRAGMENT!)
    expect(exchange.state).toBe("joining")
    expect(receive(exchange, ...OTHER_FRAGMENTS)).toBe(Done)
    expect(exchange.state).toBe("done")
  })

  it("is still `joining` if the joined message is a reply to another kind of query", () => {
    const exchange = started(Query.players)
    receive(exchange, ...messages.RULES_SPLIT)
    expect(exchange.state).toBe("joining")
  })

  it("changes from `requested` to `done` at the first deadline if a missing reply counts as an empty list", () => {
    const exchange = started(Query.playersAfter({ ...messages.infoReply, players: 0 }))
    expect(exchange.expire(exchange.deadline)).toBe(Done)
    expect([exchange.state, exchange.assumed]).toEqual(["done", true])
  })

  it("changes back to `requested` after a reset", () => {
    const exchange = STATES.joining()
    exchange.fail(new Error("closed") as never)
    exchange.reset()
    expect(exchange.state).toBe("requested")
    expect(exchange.start(100)).toBe(Send)
  })
})
