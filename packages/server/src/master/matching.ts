/**
 * Tests servers against the filter of a request. Conditions that the master does not know are ignored, because newer clients may send them.
 */
import { MasterFilter } from "@sourcewire/core/master"
import type { Entry, ListedServer } from "./listing.ts"

type Test = (server: ListedServer, value: string) => boolean

const list = (value: string): ReadonlyArray<string> =>
  value
    .toLowerCase()
    .split(",")
    .filter((tag) => tag !== "")

const has = (tags: ReadonlyArray<string> | undefined): ((tag: string) => boolean) => {
  const all = new Set(tags?.map((tag) => tag.toLowerCase()))
  return (tag) => all.has(tag)
}

const same = (ours: string | undefined, value: string): boolean => ours?.toLowerCase() === value.toLowerCase()

/**
 * Whether a text matches a pattern, in which `*` matches any text. The function searches the text once, from start to end, for the parts
 * between the `*`. Therefore even a pattern with many `*` needs little time.
 */
export const matchesPattern = (text: string, pattern: string): boolean => {
  const pieces = pattern.toLowerCase().split("*")
  const whole = text.toLowerCase()
  const first = pieces[0]!
  const last = pieces.at(-1)!
  if (pieces.length === 1) return whole === first
  if (!whole.startsWith(first)) return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = whole.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return whole.length - last.length >= at && whole.endsWith(last)
}

/** A yes-or-no condition. If its value in the filter is not 1, it is ignored. Clients send only the value 1. */
const flag =
  (of: (server: ListedServer) => boolean | undefined): Test =>
  (server, value) =>
    value !== "1" || of(server) === true

const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["gamedir", ({ gamedir }, value) => same(gamedir, value)],
  ["map", ({ map }, value) => same(map, value)],
  ["appid", ({ appId }, value) => String(appId) === value],
  ["napp", ({ appId }, value) => String(appId) !== value],
  ["dedicated", flag(({ dedicated }) => dedicated)],
  ["secure", flag(({ secure }) => secure)],
  ["linux", flag(({ linux }) => linux)],
  ["proxy", flag(({ proxy }) => proxy)],
  ["white", flag(({ whitelisted }) => whitelisted)],
  ["password", ({ passwordProtected }, value) => value !== "0" || passwordProtected === false],
  ["empty", flag(({ players = 0 }) => players > 0)],
  ["noplayers", flag(({ players }) => players === 0)],
  ["full", flag(({ maxPlayers = 0, players = Infinity }) => players < maxPlayers)],
  ["gametype", ({ tags }, value) => list(value).every(has(tags))],
  ["gamedata", ({ hiddenTags }, value) => list(value).every(has(hiddenTags))],
  ["gamedataor", ({ hiddenTags }, value) => list(value).some(has(hiddenTags))],
  ["name_match", ({ name }, value) => name !== undefined && matchesPattern(name, value)],
  ["version_match", ({ version }, value) => version !== undefined && matchesPattern(version, value)],
  ["gameaddr", ({ address }, value) => address === value || address.slice(0, address.indexOf(":")) === value]
])

const isKnown = (term: MasterFilter.Term): boolean =>
  MasterFilter.isGroup(term) ? term.terms.some(isKnown) : TESTS.has(term.key)

const holds = (term: MasterFilter.Term, server: ListedServer): boolean => {
  if (!MasterFilter.isGroup(term)) return TESTS.get(term.key)!(server, term.value)
  const terms = term.terms.filter(isKnown)
  return term.operator === "nor" ? !terms.some((one) => holds(one, server)) : !terms.every((one) => holds(one, server))
}

const ANY_REGION = 255

const inRegion = (server: ListedServer, region: number): boolean =>
  region === ANY_REGION || server.region === undefined || server.region === ANY_REGION || server.region === region

const ipNumber = ({ key }: Entry): number => Math.floor(key / 65_536)

export const matching = (
  entries: ReadonlyArray<Entry>,
  region: number,
  filter: MasterFilter.MasterFilter
): ReadonlyArray<Entry> => {
  const terms = filter.filter(isKnown)
  const found = entries.filter(({ server }) => inRegion(server, region) && terms.every((term) => holds(term, server)))
  const oncePerAddress = filter.some((term) => !MasterFilter.isGroup(term) && term.key === "collapse_addr_hash")
  return oncePerAddress ? found.filter((entry, i) => i === 0 || ipNumber(entry) !== ipNumber(found[i - 1]!)) : found
}
