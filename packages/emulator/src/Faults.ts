/**
 * What goes wrong between a server and its clients, as switches: by which a program that asks servers can be tested against
 * the worst of them. All combine, and a seed makes a run repeatable.
 */
import { TaggedError } from "@sourcewire/protocol/machines"
import type { PathFaults } from "@sourcewire/core/machines"
import { type Check, flag, number, whole } from "@sourcewire/server/machines"
import * as Result from "effect/Result"

/** Faults of a server, and of the way to its clients. */
export interface Faults extends Pick<PathFaults, "loss" | "duplicate" | "delayMs" | "jitterMs"> {
  /** Seed of all chances. Default 1. */
  readonly seed?: number
  /** How many requests of each asker are ignored before the first is heard. */
  readonly dropFirst?: number
  /** Chance, per reply, that its datagrams leave in reverse order. */
  readonly reorder?: number
  /** How many times a right challenge is answered with another one, for each asker and kind of query. */
  readonly rechallenge?: number
  /** Those challenges are the same one again, not new ones. */
  readonly sameChallenge?: boolean
  /** Replies are cut off after this many bytes, in mid-text if need be; nothing is split. 1260 is what Source of 2007 did. */
  readonly truncateBytes?: number
  /** The CRC32 of compressed replies is wrong. */
  readonly badChecksum?: boolean
  /** The last fragment of a split reply has another id, so that the reply never becomes whole. */
  readonly wrongId?: boolean
  /** A fragment of another reply, with another id, arrives among those of each split reply. */
  readonly foreignFragment?: boolean
  /** A forged reply of another sender arrives before each true one. */
  readonly spoof?: boolean
  /** Every query is answered with A2C_PRINT (0x6C) and a text that says that the asker is banned. */
  readonly ban?: boolean
  /** Today's dialect of INFO goes first, on servers that send both. */
  readonly infoFirst?: boolean
}

/** How a fault is written: `loss=0.1` for a chance, `delay=50` for milliseconds, `spoof` for a flag. */
export interface FaultSwitch {
  readonly name: string
  readonly key: keyof Faults
  readonly takes: "chance" | "count" | "milliseconds" | "bytes" | "nothing"
  /** What it does, for help texts and labels. */
  readonly description: string
}

type Row = readonly [name: string, key: keyof Faults, takes: FaultSwitch["takes"], description: string]

const SWITCHES: ReadonlyArray<Row> = [
  ["loss", "loss", "chance", "datagrams that never leave"],
  ["drop-first", "dropFirst", "count", "requests of each asker that are ignored at first"],
  ["delay", "delayMs", "milliseconds", "how late every datagram leaves"],
  ["jitter", "jitterMs", "milliseconds", "up to this much later still, each anew"],
  ["duplicate", "duplicate", "chance", "datagrams that leave twice"],
  ["reorder", "reorder", "chance", "split replies that leave in reverse order"],
  ["rechallenge", "rechallenge", "count", "right challenges answered with another one"],
  ["same-challenge", "sameChallenge", "nothing", "the other one is the same again"],
  ["truncate", "truncateBytes", "bytes", "replies are cut off here and not split"],
  ["bad-checksum", "badChecksum", "nothing", "compressed replies have a wrong CRC32"],
  ["wrong-id", "wrongId", "nothing", "the last fragment belongs to no reply"],
  ["foreign-fragment", "foreignFragment", "nothing", "a fragment of another reply comes along"],
  ["spoof", "spoof", "nothing", "a forged reply of another sender comes first"],
  ["ban", "ban", "nothing", "every query is answered with the text of a ban"],
  ["info-first", "infoFirst", "nothing", "of two dialects of INFO, today's goes first"],
  ["seed", "seed", "count", "seed of all chances"]
]

/** Every fault as a switch: what a command line offers as flags, and a page as controls. */
export const faultSwitches: ReadonlyArray<FaultSwitch> = SWITCHES.map(([name, key, takes, description]) => ({
  name,
  key,
  takes,
  description
}))

/** A fault that was not understood. */
export class InvalidFault
  extends /* @__PURE__ */ TaggedError("InvalidFault")<{
    /** A sentence for people that names the switch and what it takes. */
    readonly message: string
  }> {}

/** Reads switches such as `loss=0.1`, `rechallenge=2`, `spoof`. */
export const parseFaults = (texts: ReadonlyArray<string>): Result.Result<Faults, InvalidFault> => {
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")) {
    return Result.fail(new InvalidFault({ message: "Faults are an array of texts, as in loss=0.1." }))
  }
  const faults: Record<string, number | boolean> = {}
  for (const text of texts) {
    const [name = "", value] = text.split("=", 2)
    const known = faultSwitches.find((one) => one.name === name)
    if (known === undefined) {
      const names = faultSwitches.map((one) => one.name).join(", ")
      return Result.fail(new InvalidFault({ message: `There is no fault "${name}". The faults are: ${names}.` }))
    }
    const read = readValue(known, value)
    if (read === undefined)
      return Result.fail(new InvalidFault({ message: `${name} takes ${TAKES[known.takes].words}.` }))
    faults[known.key] = read
  }
  return Result.succeed(faults as Faults)
}

/** What a switch takes, in words, and its check. */
export const TAKES: Readonly<Record<FaultSwitch["takes"], { readonly words: string; readonly check: Check }>> = {
  chance: { words: `a chance from 0 to 1, as in "loss=0.1"`, check: number(0, 1) },
  count: { words: `a whole number, as in "rechallenge=2"`, check: whole(0, Number.MAX_SAFE_INTEGER) },
  milliseconds: { words: `milliseconds, as in "delay=50"`, check: number(0) },
  bytes: { words: `a number of bytes, as in "truncate=1260"`, check: whole(0, 65_535) },
  nothing: { words: "no value", check: flag }
}

const readValue = ({ name, takes }: FaultSwitch, text: string | undefined): number | true | undefined => {
  if (takes === "nothing") return text === undefined ? true : undefined
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined
  return TAKES[takes].check(Number(text), name) === undefined ? Number(text) : undefined
}
