/**
 * The query ports of a target with a named game. They are tried one after the other within one turn until one responds. That port is stored
 * with the reply, so it is tried first from then on, after a restart and on other machines, too.
 */
import type { ScanResult } from "@sourcewire/core"
import { type Summary, summary } from "@sourcewire/games"

type Result = ScanResult<"info" | "all">
type Failed = Extract<Result, { readonly _tag: "Failed" }>

/** The candidates of a target, and the position among them. */
export interface Candidates {
  /** The most likely first. */
  ports: ReadonlyArray<number>
  /** How many candidates were tried in this turn before the current one. */
  tried: number
  /** Why the first one failed in this turn. */
  firstFailure: Failed | undefined
}

/** A stored reply, with the port that responded. */
type Reply = Parameters<typeof summary>[1] & { readonly queryPort?: number }

/** A target and its last reply. */
interface Target {
  readonly candidates: Candidates | undefined
  readonly known: { readonly state: string; readonly last: { readonly answer: Reply } | undefined }
}

/** The candidates in the order in which they are tried: the one that responded last comes first. */
const inOrder = (ports: ReadonlyArray<number>, worked: number | undefined): ReadonlyArray<number> =>
  worked === undefined || !ports.includes(worked) ? ports : [worked, ...ports.filter((port) => port !== worked)]

/** The port to query now. */
export const currentPort = ({ ports, tried }: Candidates, last: Reply | undefined): number =>
  inOrder(ports, last?.queryPort)[tried]!

/** Begins a new turn with the first candidate. */
export const beginAgain = (candidates: Candidates): void => {
  candidates.tried = 0
  candidates.firstFailure = undefined
}

/** A closed port or a timeout: the server may be at another port. */
const isUnheard = ({ error }: Failed): boolean => error._tag === "Timeout" || error._tag === "PortClosed"

const isLocalFault = ({ error }: Failed): boolean => "local" in error && error.local === true

/**
 * The result of a target's turn; `undefined` if another candidate must be tried first. `isTaken` returns whether a port belongs to another
 * target.
 *
 * A server that has responded at one port keeps it, because the other ports may belong to other servers on the host. When it counts as
 * down, the other ports are tried again. A server with the same name at another port counts as the same server.
 */
export const settleTurn = (target: Target, result: Result, isTaken: (port: number) => boolean): Result | undefined => {
  const { candidates, known } = target
  if (candidates === undefined) return result
  const { firstFailure, ports } = candidates
  const last = known.last?.answer
  const hasWorked = last?.queryPort !== undefined && ports.includes(last.queryPort)
  if (result._tag === "Answered") {
    const isOther = hasWorked && result.port !== last.queryPort && result.info.name !== last.info.name
    if (!isOther || firstFailure === undefined) return ended(candidates, result)
  } else if (isLocalFault(result) || (firstFailure === undefined && !isUnheard(result))) {
    return ended(candidates, result)
  }
  candidates.firstFailure ??= result as Failed
  const order = hasWorked && known.state !== "down" ? [] : inOrder(ports, last?.queryPort)
  const next = order.findIndex((port, i) => i > candidates.tried && !isTaken(port))
  if (next < 0) return ended(candidates, candidates.firstFailure)
  candidates.tried = next
  return undefined
}

const ended = (candidates: Candidates, result: Result): Result => {
  beginAgain(candidates)
  return result
}

/** The summary of a target by its address and the port that responded. */
export const makeSummary = (address: string, answer: Reply): Summary =>
  summary(answer.queryPort === undefined ? address : address.replace(/\d+$/, String(answer.queryPort)), answer)
