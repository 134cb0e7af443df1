/** A list of servers that is gone through: results as they come, sorted and filtered as wished. */
import type { ListResult } from "../../bridge/Api.ts"
import { computed, signal } from "@preact/signals"
import { hasWords } from "@sourcewire/capture"
import { parseAddress } from "@sourcewire/core"
import * as Result from "effect/Result"
import type { Order } from "@sourcewire/ui/widgets"
import { Live } from "./live.ts"

/** The addresses as typed, separated by anything blank or by commas. */
export const addresses = signal("")

/** Addresses of a typed text, each once. Comments after # are left out. */
export const addressesIn = (text: string): ReadonlyArray<string> => [
  ...new Set(
    text
      .replaceAll(/#.*/g, "")
      .split(/[\s,;]+/)
      .filter((address) => address !== "")
  )
]

/** Words of the last list that are no addresses, each with what is wrong with it. */
export const rejected = signal<ReadonlyArray<string>>([])

/** What is wrong with a word as an address. A name without a dot is a name of this network, and hardly meant in a list. */
export const complaintAbout = (word: string): string | undefined => {
  const address = parseAddress(word)
  if (Result.isFailure(address)) return address.failure.message
  const { family, host } = address.success
  return family !== undefined || host.includes(".") || host === "localhost" || word.includes(":")
    ? undefined
    : `"${word}" is a word without a dot or a port.`
}

export const results = signal<ReadonlyArray<ListResult>>([])

export const expected = signal(0)

/** The list that is gone through, or was. */
export const live = new Live()

export type Column = "target" | "name" | "map" | "players" | "rttMs"

export const order = signal<Order<Column>>({ column: "players", down: true })

/** Words that a row must hold, in any of its texts. */
export const filter = signal("")

const valueOf = ({ rttMs, summary, target }: ListResult, column: Column): number | string | undefined => {
  if (column === "target") return target
  if (column === "rttMs") return rttMs
  return summary?.[column]
}

/** The rows to show. Those without an answer are always last. */
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
    const a = valueOf(one, column)
    const b = valueOf(other, column)
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    const compared = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b))
    return down ? -compared : compared
  })
}

/** {@link arrange}d by the choices of the page. */
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
