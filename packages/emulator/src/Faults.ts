/**
 * Faults that an emulated server or its network injects, so that you can test clients. You can combine faults. Runs with the same seed make
 * the same random decisions.
 */
import { TaggedError } from "@sourcewire/protocol/wire"
import type { PathFaults } from "@sourcewire/core/testing"
import { type Check, flag, number, whole } from "@sourcewire/inside/checks"
import * as Result from "effect/Result"

/** Faults of a server, and of the network between the server and its clients. */
export interface Faults extends Pick<PathFaults, "loss" | "duplicate" | "delayMs" | "jitterMs"> {
  /** Seed of all random decisions (default: 1). */
  readonly seed?: number
  /** The server ignores this number of requests from each client, and replies to the requests after them. */
  readonly dropFirst?: number
  /** Probability per reply that its datagrams are sent in reverse order. */
  readonly reorder?: number
  /**
   * For each client and kind of query, how often the server replies to a correct challenge with another challenge before it sends the data.
   */
  readonly rechallenge?: number
  /** With `rechallenge`, the server replies to a correct challenge with the same challenge, and not with another challenge. */
  readonly sameChallenge?: boolean
  /**
   * The server sends at most this many bytes of a reply, even if a text is cut in the middle, and does not split replies. In 2007, Source
   * truncated replies at 1260 bytes.
   */
  readonly truncateBytes?: number
  /** The CRC32 of compressed replies is wrong. */
  readonly badChecksum?: boolean
  /** The id of the last fragment of a split reply differs from the id of the other fragments, so that the reply is never complete. */
  readonly wrongId?: boolean
  /**
   * Before the fragments of each split reply, the server sends a fragment with another id, as if the fragment belonged to another reply.
   */
  readonly foreignFragment?: boolean
  /** Before each genuine reply, a spoofed reply arrives from an address that is not the address of the server. */
  readonly spoof?: boolean
  /** The reply to every query is A2C_PRINT (0x6C) with the text that the client is banned. */
  readonly ban?: boolean
  /** If a server sends INFO in the older and in the current dialect, the current dialect is sent first. */
  readonly infoFirst?: boolean
}

/**
 * A fault as a switch of the command line or of a web page. For example, `loss=0.1` has a probability, `delay=50` has a time in
 * milliseconds, and `spoof` has no value.
 */
export interface FaultSwitch {
  readonly name: string
  readonly key: keyof Faults
  readonly takes: "chance" | "count" | "milliseconds" | "bytes" | "nothing"
  /** The effect of the fault, for help texts and labels. */
  readonly description: string
}

type Row = readonly [name: string, key: keyof Faults, takes: FaultSwitch["takes"], description: string]

const SWITCHES: ReadonlyArray<Row> = [
  ["loss", "loss", "chance", "probability that a datagram is not sent"],
  ["drop-first", "dropFirst", "count", "ignore the first requests of each client, up to this number"],
  ["delay", "delayMs", "milliseconds", "delay of every datagram"],
  ["jitter", "jitterMs", "milliseconds", "maximum of an additional random delay"],
  ["duplicate", "duplicate", "chance", "probability that a datagram is sent twice"],
  ["reorder", "reorder", "chance", "probability that a split reply is sent in reverse order"],
  ["rechallenge", "rechallenge", "count", "reject a correct challenge this many times, and send another one"],
  ["same-challenge", "sameChallenge", "nothing", "with rechallenge, send the same challenge again"],
  ["truncate", "truncateBytes", "bytes", "truncate replies at this length, and do not split them"],
  ["bad-checksum", "badChecksum", "nothing", "send compressed replies with a wrong CRC32"],
  ["wrong-id", "wrongId", "nothing", "send the last fragment with a wrong id"],
  ["foreign-fragment", "foreignFragment", "nothing", "add a fragment of another reply to each split reply"],
  ["spoof", "spoof", "nothing", "before each reply, send a spoofed reply from another address"],
  ["ban", "ban", "nothing", "reply to every query with the message that the client is banned"],
  ["info-first", "infoFirst", "nothing", "if the server sends both formats of INFO, send the newer one first"],
  ["seed", "seed", "count", "seed of the random decisions, to repeat a run (default: 1)"]
]

/** Every fault as a switch: flags of the command line, and controls of a web page. */
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
    return Result.fail(new InvalidFault({ message: "Faults must be an array of texts, such as loss=0.1." }))
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

/** For each kind of switch value: a description for error messages, and a function that checks a value. */
export const TAKES: Readonly<Record<FaultSwitch["takes"], { readonly words: string; readonly check: Check }>> = {
  chance: { words: "a probability from 0 to 1, such as 0.1", check: number(0, 1) },
  count: { words: "a whole number, such as 2", check: whole(0, Number.MAX_SAFE_INTEGER) },
  milliseconds: { words: "a number of milliseconds, such as 50", check: number(0) },
  bytes: { words: "a number of bytes from 1 to 65535, such as 1260", check: whole(1, 65_535) },
  nothing: { words: "without a value", check: flag }
}

const readValue = ({ name, takes }: FaultSwitch, text: string | undefined): number | true | undefined => {
  if (takes === "nothing") return text === undefined ? true : undefined
  if (text === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined
  return TAKES[takes].check(Number(text), name) === undefined ? Number(text) : undefined
}
