/**
 * Reads the text of a list: one address per line, as in `--file`, or a JSON array. Each element of the array is an address, or an object
 * that contains addresses. Entries that cannot be queried are counted and skipped. An attacker may have written the list. Therefore the
 * reader never blocks the process for long, and rejects a list with too many entries.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type NamedTarget, targetIn } from "../config/target.ts"
import { isGlobalHost } from "../outbound/globalUnicast.ts"
import type { Listed, Reading } from "./FoundList.ts"
import { BadList, elementsIn, readElements, readFields, type JsonSlice, stringIn } from "./jsonElements.ts"

/** Maximum length of an entry. The longest valid entry, a host name with a game and a port, is shorter. */
const MOST_CHARACTERS = 300
/**
 * Quickly rejects most texts that are not addresses. Without this pattern, the parser of addresses would create an error object for each of
 * these texts.
 */
const SHAPE = /^[^\s,;"'<>{}()=/\\]+$/

/**
 * Maximum number of entries that cannot be queried. Steam's lists contain many such entries, because servers behind relays cannot be
 * queried.
 */
export const MAX_JUNK = 100_000
/** Maximum number of entries of a list: twice the maximum number of servers of a source. */
export const MAX_ENTRIES = 2_000_000

/** Maximum time in milliseconds for which the parser of a list blocks other work before it pauses. */
const SLICE_MS = 5
/** Number of entries between two checks of the time. */
const ENTRIES_PER_CHECK = 64

const entryTarget = (text: string): NamedTarget | undefined =>
  text.length > MOST_CHARACTERS || !SHAPE.test(text) ? undefined : Result.getOrUndefined(targetIn(text))

const parseHost = (address: string): string => address.slice(0, address.lastIndexOf(":"))

/**
 * Parses the texts of a list. The function pauses every {@link SLICE_MS}, so that other work can run. In `texts`, `undefined` represents an
 * entry that is not a text. An empty text represents a line without an entry. Empty texts are skipped, but they count toward {@link
 * MAX_ENTRIES}. If `allowLocal` is true, addresses that are not global unicast addresses are accepted, too.
 */
export const parseList = (texts: Iterable<string | undefined>, allowLocal: boolean): Effect.Effect<Listed, BadList> =>
  Effect.tryPromise({
    try: async (signal) => {
      const addresses = new Set<string>()
      const ports = new Map<string, ReadonlyArray<number>>()
      let [entries, junk] = [0, 0]
      let began = performance.now()
      for (const text of texts) {
        if (++entries > MAX_ENTRIES) throw new BadList({ message: `it has more than ${MAX_ENTRIES} entries` })
        // A list may repeat an address a million times. Therefore a text that equals an accepted address is not parsed again.
        if (text !== "" && (text === undefined || !addresses.has(text))) {
          const target = text === undefined ? undefined : entryTarget(text)
          if (target !== undefined && (allowLocal || isGlobalHost(parseHost(target.address)))) {
            addresses.add(target.address)
            if (target.ports.length > 0) ports.set(target.address, target.ports)
          } else if (++junk > MAX_JUNK) {
            throw new BadList({ message: `more than ${MAX_JUNK} of its entries are not addresses that can be queried` })
          }
        }
        if (entries % ENTRIES_PER_CHECK !== 0 || performance.now() - began < SLICE_MS) continue
        await new Promise((resolve) => setImmediate(resolve))
        signal.throwIfAborted()
        began = performance.now()
      }
      return { addresses, junk, ports }
    },
    catch: (cause) => cause
  }).pipe(Effect.catch((cause) => (cause instanceof BadList ? Effect.fail(cause) : Effect.die(cause))))

/** Yields the text of each line. For a comment or an empty line, yields an empty text. */
function* linesIn(text: string): Generator<string> {
  const end = /[\r\n]/g
  for (let from = 0; from <= text.length;) {
    end.lastIndex = from
    const to = end.exec(text)?.index ?? text.length
    // Only the start of a very long line is returned. The start is still too long for an address, so `parseList` rejects it without
    // parsing.
    const line = text.slice(from, Math.min(to, from + 2 * MOST_CHARACTERS)).trim()
    from = to + 1
    yield line.startsWith("#") ? "" : line
  }
}

/** The text of an entry; `undefined` if the entry is not a text, or if the text is empty or too long. */
const entryIn = (text: string, slice: JsonSlice | undefined): string | undefined =>
  (slice && stringIn(text, slice, MOST_CHARACTERS)) || undefined

/**
 * Yields the addresses that an element of an array contains. The element is an address, an object with an address, or an object with
 * several `targets` (as in Prometheus' `http_sd`).
 */
function* textsIn(text: string, entry: JsonSlice): Generator<string | undefined> {
  if (entry.kind !== "{") return yield entryIn(text, entry)
  const fields = readFields(text, entry)
  const targets = fields.get("targets")
  if (targets?.kind !== "[") return yield entryIn(text, fields.get("address") ?? fields.get("addr"))
  for (const target of readElements(text, targets)) yield entryIn(text, target)
}

function* textsInArray(text: string): Generator<string | undefined> {
  for (const entry of elementsIn(text)) yield* textsIn(text, entry)
}

const failed = (message: string): Reading => ({ _tag: "Failed", message })

/** Reads a list. If the text is not a list, the result is a failed reading with a reason. */
export const readList = (text: string, allowLocal: boolean): Effect.Effect<Reading> => {
  const whole = text.replace(/^\ufeff/, "")
  const first = /\S/.exec(whole)?.[0]
  if (first === "<") return Effect.succeed(failed("it is a web page, not a list"))
  if (first === "{") return Effect.succeed(failed("it is a JSON object, not an array"))
  return Effect.match(parseList(first === "[" ? textsInArray(whole) : linesIn(whole), allowLocal), {
    onFailure: ({ message }) => failed(message),
    // A list without entries is valid. If a list has entries, but none of them is an address, the text is not a list of servers.
    onSuccess: (list): Reading =>
      list.addresses.size > 0 || list.junk === 0
        ? { _tag: "Listed", ...list }
        : failed(`none of its ${list.junk} entries is an address that can be queried`)
  })
}
