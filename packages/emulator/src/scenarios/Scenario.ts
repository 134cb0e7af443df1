/**
 * A test case for a client, as data: a server, its fault, the query, and the result that a correct client with default settings returns.
 * `runScenario` runs a test case over any transport.
 */
import type { Datagrams } from "@sourcewire/core/transport"
import type { GoldSourceInfoReply, InfoReply, PlayersReply, RulesReply } from "@sourcewire/protocol"
import type * as Layer from "effect/Layer"
import { startServer } from "../EmulatedServer.ts"
import type { Faults } from "../Faults.ts"
import type { Profile } from "@sourcewire/server"
import type { ResponderOptions } from "@sourcewire/server/machines"

/** The expected result of the query: the values of some fields, or an error. Fields that are absent here are not checked. */
export type Expectation =
  | { readonly info: Partial<InfoReply> | Partial<GoldSourceInfoReply> }
  | { readonly players: Partial<PlayersReply> }
  | { readonly rules: Partial<RulesReply> }
  /** The query fails with an error of this `_tag`. */
  | { readonly ask: keyof ScenarioClient; readonly failsWith: string }

export interface Scenario {
  readonly name: string
  readonly profile: Profile
  readonly faults?: Faults
  readonly responder?: ResponderOptions
  readonly expected: Expectation
}

/** Creates a test case that expects the data of the profile as the result. */
export const expectProfileData = (
  name: string,
  profile: Profile,
  what: "info" | "legacyInfo" | "players" | "rules"
): Scenario => ({
  name,
  profile,
  expected: { [what === "legacyInfo" ? "info" : what]: profile[what] } as Expectation
})

/** A client under test, with default settings. The errors of the client must have a `_tag`. */
export interface ScenarioClient {
  /** If a server sends INFO in both dialects, the client must return the reply in the current dialect. */
  readonly info: (address: string) => Promise<InfoReply | GoldSourceInfoReply>
  readonly players: (address: string) => Promise<PlayersReply>
  readonly rules: (address: string) => Promise<RulesReply>
}

/**
 * Starts the scenario's server over a transport and runs the client's query. Returns a description of the problem, or `undefined` if the
 * result is correct. A result for which `JSON.stringify` throws an error is also a problem.
 */
export const runScenario = async (
  scenario: Scenario,
  client: ScenarioClient,
  transport: Layer.Layer<Datagrams>
): Promise<string | undefined> => {
  const { expected, name: _, ...options } = scenario
  await using server = await startServer({ transport, ...options })
  const address = `${server.address}:${server.port}`
  const what = "ask" in expected ? expected.ask : (Object.keys(expected)[0] as keyof ScenarioClient)
  try {
    const actual: unknown = await client[what](address)
    if ("failsWith" in expected) return `should fail with ${expected.failsWith}, but gives ${json(actual)}`
    // This call throws for values that JSON cannot represent.
    json(actual)
    return difference(actual, (expected as Readonly<Record<string, unknown>>)[what], what)
  } catch (error) {
    const tag = typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
    if ("failsWith" in expected && tag === expected.failsWith) return undefined
    return `fails with ${String(tag)}: ${error instanceof Error ? error.message : String(error)}`
  }
}

const json = (value: unknown): string => JSON.stringify(value)

/** Describes the first expected value that differs from the value in `actual`. Returns `undefined` if no value differs. */
const difference = (actual: unknown, expected: unknown, path: string): string | undefined => {
  if (typeof expected !== "object" || expected === null) {
    return Object.is(actual, expected) ? undefined : `${path} is ${json(actual)}, not ${json(expected)}`
  }
  if (typeof actual !== "object" || actual === null) return `${path} is ${json(actual)}, not an object`
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length !== actual.length) {
    return `${path} has ${actual.length} entries, not ${expected.length}`
  }
  for (const [key, value] of Object.entries(expected)) {
    const found = difference((actual as Readonly<Record<string, unknown>>)[key], value, `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
