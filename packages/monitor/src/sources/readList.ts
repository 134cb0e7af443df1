/**
 * The text of a list: an address in each line, as `--file` has it, or a JSON array of addresses or of objects with one. What is no
 * address that can be asked is counted and left out.
 */
import { formatAddress, parseAddress } from "@sourcewire/core"
import { canonicalAddress } from "@sourcewire/core/machines"
import { gameOf, queryPortsOf, unaskable } from "@sourcewire/games"
import * as Result from "effect/Result"
import { isLocal } from "../outbound/request.ts"
import type { Listed, Reading } from "./FoundList.ts"

/** Stands for a port that was not given. */
const NONE = 0
/** As in `rust:192.0.2.1`. */
const OF_GAME = /^([A-Za-z0-9]+):(.+)$/

const addressIn = (text: string): string | undefined => {
  const plain = parseAddress(text)
  if (Result.isSuccess(plain))
    return unaskable(plain.success.host) === undefined ? formatAddress(plain.success) : undefined
  const [, id = "", rest = ""] = OF_GAME.exec(text) ?? []
  const game = gameOf(id)
  const parsed = parseAddress(rest, NONE)
  if (game === undefined || Result.isFailure(parsed)) return undefined
  const { host, port } = parsed.success
  if (unaskable(host, game) !== undefined) return undefined
  return formatAddress({ host, port: queryPortsOf(game, port === NONE ? undefined : port)[0]! })
}

const isLocalHost = (address: string): boolean => {
  const host = address.slice(0, address.lastIndexOf(":")).replace(/^\[(.*)\]$/, "$1")
  const numeric = canonicalAddress(host)
  return numeric === undefined ? /(^|\.)localhost\.?$/i.test(host) : isLocal(numeric)
}

/** Those of some texts that are addresses. `allowLocal` says whether ones of a private network count. */
export const listOf = (texts: Iterable<string>, allowLocal: boolean): Listed => {
  const addresses = new Set<string>()
  let junk = 0
  for (const text of texts) {
    const address = addressIn(text)
    if (address === undefined || (!allowLocal && isLocalHost(address))) junk++
    else addresses.add(address)
  }
  return { addresses, junk }
}

function* linesIn(text: string): Generator<string> {
  for (const line of text.split(/\r\n|\n|\r/)) {
    const entry = line.trim()
    if (entry !== "" && !entry.startsWith("#")) yield entry
  }
}

/** Only a text is an address. */
const textOf = (entry: unknown): string => (typeof entry === "string" ? entry : "")

/** What an entry of an array names: itself, or what it has as its address, or its `targets` as in Prometheus' `http_sd`. */
const textsIn = (entry: unknown): ReadonlyArray<string> => {
  if (typeof entry !== "object" || entry === null) return [textOf(entry)]
  const { addr, address = addr, targets } = entry as Readonly<Record<string, unknown>>
  return Array.isArray(targets) ? targets.map(textOf) : [textOf(address)]
}

const failed = (message: string): Reading => ({ _tag: "Failed", message })

/** What holds nothing but junk is something else. */
const named = (texts: Iterable<string>, allowLocal: boolean): Reading => {
  const list = listOf(texts, allowLocal)
  const isList = list.addresses.size > 0 || list.junk === 0
  return isList
    ? { _tag: "Listed", ...list }
    : failed(`none of its ${list.junk} entries is an address that can be asked`)
}

/** Reads a list; fails with a sentence where the whole is none. */
export const readList = (text: string, allowLocal: boolean): Reading => {
  const whole = text.replace(/^\ufeff/, "")
  const first = whole.trimStart()[0]
  if (first === "<") return failed("it is a page, and no list")
  if (first === "{") return failed("it is JSON, and no array")
  if (first !== "[") return named(linesIn(whole), allowLocal)
  try {
    return named((JSON.parse(whole) as ReadonlyArray<unknown>).flatMap(textsIn), allowLocal)
  } catch {
    return failed("it is broken JSON")
  }
}
