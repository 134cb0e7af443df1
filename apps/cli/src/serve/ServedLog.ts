/** Stores the requests that emulated servers receive, and the replies to these requests, for the live view. */
import { isSplit } from "@sourcewire/protocol/wire"
import { describe, messageName } from "@sourcewire/capture"
import { type Message, decode } from "@sourcewire/protocol"
import { type Served, faultSwitches } from "@sourcewire/emulator/machines"
import * as Result from "effect/Result"
import { byteSize, milliseconds, plural } from "../view/quantities.ts"

export interface ServedRequest extends Omit<Served, "request"> {
  readonly request: Uint8Array
  /** Time of the request, in ms since 1970. */
  readonly at: number
  readonly server: number
}

const MAX_ENTRIES = 1000

/** The log of requests with their replies. It stores datagrams, which are decoded only when the live view shows them. */
export class ServedLog {
  requests = 0
  faults = 0
  isPaused = false
  faultsOnly = false
  #kept: Array<ServedRequest> = []

  take(served: Served, server: number, at: number): void {
    this.requests++
    if (served.injected.size > 0) this.faults++
    if (this.isPaused) return
    this.#kept.push({ ...served, request: served.request.slice(), server, at })
    if (this.#kept.length > 2 * MAX_ENTRIES) this.#kept = this.#kept.slice(-MAX_ENTRIES)
  }

  clear(): void {
    this.#kept = []
  }

  /** The requests that the live view shows, with the newest request first. */
  get list(): ReadonlyArray<ServedRequest> {
    const newest = this.#kept.slice(-MAX_ENTRIES).toReversed()
    return this.faultsOnly ? newest.filter(({ injected }) => injected.size > 0) : newest
  }
}

const NAMES = new Map(faultSwitches.map(({ key, name }) => [key, name]))

/** Valve's name of the message in a datagram, or "malformed". */
export const readName = (bytes: Uint8Array): string => {
  const message: Result.Result<Message, unknown> = decode(bytes)
  return Result.isSuccess(message) ? messageName(message.success._tag) : "malformed"
}

/** Describes the reply to a request. The description can contain text from the reply. Therefore it is not safe for a terminal. */
export const formatOutcome = ({ answered, passages }: ServedRequest): string => {
  const first = passages.find(({ forged }) => !forged)
  if (first === undefined) return answered ? "reply later" : "no reply"
  const size = passages.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const latest = Math.max(...passages.map(({ afterMs }) => afterMs))
  const late = latest > 0 ? `, after ${milliseconds(latest)}` : ""
  const count = passages.length === 1 ? "" : ` in ${plural(passages.length, "datagram")}`
  if (isSplit(first.bytes)) return `split reply, ${byteSize(size)}${count}${late}`
  const message = decode(first.bytes)
  const gist = Result.isSuccess(message) ? describe(message.success) : ""
  return `${readName(first.bytes)}, ${byteSize(size)}${count}${late}  ${gist}`.trimEnd()
}

export const formatFaults = ({ injected }: ServedRequest): string =>
  [...injected].map((fault) => NAMES.get(fault) ?? fault).join(", ")
