/**
 * The query of a list of servers. The page shows each result as soon as the result arrives. The shown results are always sorted and
 * filtered.
 */
import type { ListResult } from "../../bridge/Api.ts"
import { computed, signal } from "@preact/signals"
import { hasWords } from "@sourcewire/capture"
import { parseAddress } from "@sourcewire/core"
import * as Result from "effect/Result"
import type { Order } from "@sourcewire/ui/widgets"
import { Live } from "./live.ts"

/** The text of the input: addresses, separated by white space, commas or semicolons. */
export const addresses = signal("")

/** Returns the addresses in a text that the user has entered, without duplicates. On each line, the text after a # is a comment. */
export const addressesIn = (text: string): ReadonlyArray<string> => [
  ...new Set(
    text
      .replaceAll(/#.*/g, "")
      .split(/[\s,;]+/)
      .filter((address) => address !== "")
  )
]

/** The error messages about the last list that the user submitted. Each word that is not an address has one message. */
export const rejected = signal<ReadonlyArray<string>>([])

/**
 * Returns an error message if a word is not a valid address, otherwise `undefined`. A word with neither a dot nor a port is also rejected,
 * because it is probably not the name of a host. Only `localhost` is accepted without a dot and a port.
 */
export const complaintAbout = (word: string): string | undefined => {
  const address = parseAddress(word)
  if (Result.isFailure(address)) return address.failure.message
  const { family, host } = address.success
  return family !== undefined || host.includes(".") || host === "localhost" || word.includes(":")
    ? undefined
    : `"${word}" has no dot and no port.`
}

export const results = signal<ReadonlyArray<ListResult>>([])

export const expected = signal(0)

/** The list query that runs now. If no list query runs, the previous list query. */
export const live = new Live()

export type Column = "target" | "name" | "map" | "players" | "rttMs"

export const order = signal<Order<Column>>({ column: "players", down: true })

/** The words that the user searches for. A row is shown if its texts contain all words. */
export const filter = signal("")

const readValue = ({ rttMs, summary, target }: ListResult, column: Column): number | string | undefined => {
  if (column === "target") return target
  if (column === "rttMs") return rttMs
  return summary?.[column]
}

/**
 * Sorts the results, and removes the results that do not contain all of `words`. If a server did not reply, it has no values in most
 * columns. If the results are sorted by such a column, the servers without a value are last.
 */
export const arrange = (
  all: ReadonlyArray<ListResult>,
  words: string,
  { column, down }: Order<Column>
): ReadonlyArray<ListResult> => {
  const isWanted = hasWords(words)
  const kept = all.filter(({ error, summary, target }) =>
    isWanted(
      `${target} ${summary?.name ?? ""} ${summary?.map ?? ""} ${summary?.game ?? ""} ${error?._tag ?? ""} ${error?.message ?? ""}`
    )
  )
  return kept.toSorted((one, other) => {
    const a = readValue(one, column)
    const b = readValue(other, column)
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    const compared = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b))
    return down ? -compared : compared
  })
}

/** The rows that the page shows, filtered and sorted by {@link arrange}. */
export const shown = computed(() => arrange(results.value, filter.value, order.value))

export const list = async (): Promise<void> => {
  const words = addressesIn(addresses.value)
  const wanted = words.filter((word) => complaintAbout(word) === undefined)
  rejected.value = words.flatMap((word) => complaintAbout(word) ?? [])
  live.stop()
  results.value = []
  expected.value = wanted.length
  live.ended.value = undefined
  if (wanted.length === 0) return
  await live.follow<ReadonlyArray<ListResult>>("/list", { addresses: wanted }, (batch) => {
    results.value = [...results.value, ...batch]
  })
}
