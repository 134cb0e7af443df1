/** Faults between a server and its clients, as switches, to test clients. They can be combined, and a seed makes a run repeatable. */
import { TaggedError } from "@sourcewire/protocol/wire"
import type { PathFaults } from "@sourcewire/core/testing"
import { type Check, flag, number, whole } from "@sourcewire/server/machines"
import * as Result from "effect/Result"

/** Faults of a server, and of the network to its clients. */
export interface Faults extends Pick<PathFaults, "loss" | "duplicate" | "delayMs" | "jitterMs"> {
  /** Seed of all random decisions (default: 1). */
  readonly seed?: number
  /** How many requests of each client are ignored at first. */
  readonly dropFirst?: number
  /** Probability per reply that its datagrams are sent in reverse order. */
  readonly reorder?: number
  /** How many times a correct challenge gets another one as reply, per client and kind of query. */
  readonly rechallenge?: number
  /** These challenges are the same again, not new ones. */
  readonly sameChallenge?: boolean
  /** Replies are truncated after this many bytes, if necessary within a text; none is split. Source of 2007 did so at 1260. */
  readonly truncateBytes?: number
  /** The CRC32 of compressed replies is wrong. */
  readonly badChecksum?: boolean
  /** The last fragment of a split reply has another id, so that the reply is never complete. */
  readonly wrongId?: boolean
  /** A fragment of another reply, with another id, arrives among those of each split reply. */
  readonly foreignFragment?: boolean
  /** A spoofed reply with another sender arrives before each genuine one. */
  readonly spoof?: boolean
  /** The reply to every query is A2C_PRINT (0x6C) with a text that says that the client is banned. */
  readonly ban?: boolean
  /** Today's dialect of INFO goes first, on servers that send both. */
  readonly infoFirst?: boolean
}

/** Kinds of values: `loss=0.1` is a chance, `delay=50` milliseconds, `spoof` a flag. */
export interface FaultSwitch {
  readonly name: string
  readonly key: keyof Faults
  readonly takes: "chance" | "count" | "milliseconds" | "bytes" | "nothing"
  /** Its effect, for help texts and labels. */
  readonly description: string
}

type Row = readonly [name: string, key: keyof Faults, takes: FaultSwitch["takes"], description: string]

const SWITCHES: ReadonlyArray<Row> = [
  ["loss", "loss", "chance", "probability that a datagram is not sent"],
  ["drop-first", "dropFirst", "count", "number of first requests of each client that are ignored"],
  ["delay", "delayMs", "milliseconds", "delay of every datagram"],
  ["jitter", "jitterMs", "milliseconds", "additional random delay, up to this"],
  ["duplicate", "duplicate", "chance", "probability that a datagram is sent twice"],
  ["reorder", "reorder", "chance", "probability that a split reply is sent in reverse order"],
  ["rechallenge", "rechallenge", "count", "how often a correct challenge is answered with another one"],
  ["same-challenge", "sameChallenge", "nothing", "with --rechallenge: the other challenge is the same again"],
  ["truncate", "truncateBytes", "bytes", "truncate replies at this length, and do not split them"],
  ["bad-checksum", "badChecksum", "nothing", "send compressed replies with a wrong CRC32"],
  ["wrong-id", "wrongId", "nothing", "send the last fragment with the id of no reply"],
  ["foreign-fragment", "foreignFragment", "nothing", "send a fragment of another reply as well"],
  ["spoof", "spoof", "nothing", "send a forged reply of another sender first"],
  ["ban", "ban", "nothing", "answer every query with the text of a ban"],
  ["info-first", "infoFirst", "nothing", "send the newer INFO first, if there are two"],
  ["seed", "seed", "count", "seed of all probabilities"]
]

/** Every fault as a switch: flags of the command line, and controls of a page. */
export const faultSwitches: ReadonlyArray<FaultSwitch> = SWITCHES.map(([name, key, takes, description]) => ({
  name,
  key,
  takes,
  description
}))

/** A fault that could not be parsed. */
export class InvalidFault
  extends /* @__PURE__ */ TaggedError("InvalidFault")<{
    /** A sentence that names the switch and its value. */
    readonly message: string
  }> {}

/** Parses switches such as `loss=0.1`, `rechallenge=2`, `spoof`. */
export const parseFaults = (texts: ReadonlyArray<string>): Result.Result<Faults, InvalidFault> => {
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string")) {
    return Result.fail(new InvalidFault({ message: "Faults must be an array of texts, as in loss=0.1." }))
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
      return Result.fail(
        new InvalidFault({
          message: `${name} must be ${TAKES[known.takes].words}, not ${value === undefined ? "without a value" : `"${value}"`}.`
        })
      )
    faults[known.key] = read
  }
  return Result.succeed(faults as Faults)
}

/** The value of a switch in words, and its check. */
export const TAKES: Readonly<Record<FaultSwitch["takes"], { readonly words: string; readonly check: Check }>> = {
  chance: { words: `a probability from 0 to 1, as in loss=0.1`, check: number(0, 1) },
  count: { words: `a whole number, as in rechallenge=2`, check: whole(0, Number.MAX_SAFE_INTEGER) },
  milliseconds: { words: `a number of milliseconds, as in delay=50`, check: number(0) },
  bytes: { words: `a number of bytes up to 65535, as in truncate=1260`, check: whole(0, 65_535) },
  nothing: { words: "without a value", check: flag }
}

const readValue = ({ name, takes }: FaultSwitch, text: string | undefined): number | true | undefined => {
  if (takes === "nothing") return text === undefined ? true : undefined
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined
  return TAKES[takes].check(Number(text), name) === undefined ? Number(text) : undefined
}
