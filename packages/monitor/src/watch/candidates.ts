/**
 * The query ports to try for a target that names a game. Within one check, the ports are tried one after the other until the server
 * responds. The port that responded is stored with the reply. In later checks, this port is tried first, also after a restart and by other
 * instances.
 */
import type { ScanResult } from "@sourcewire/core"
import { type Summary, summary } from "@sourcewire/games"

type Result = ScanResult<"info" | "all">
type Failed = Extract<Result, { readonly _tag: "Failed" }>

/** The candidate ports of a target, and the position of the current port. */
export interface Candidates {
  /** The ports, the most likely port first. */
  ports: ReadonlyArray<number>
  /** The position of the current port in the list that {@link inOrder} returns. */
  tried: number
  /** The failed result of the first query in the current check. */
  firstFailure: Failed | undefined
}

/** A stored reply, with the port that responded. */
type Reply = Parameters<typeof summary>[1] & { readonly queryPort?: number }

/** A target and its last reply. */
interface Target {
  readonly candidates: Candidates | undefined
  readonly known: { readonly state: string; readonly last: { readonly answer: Reply } | undefined }
}

/**
 * Returns the candidate ports in the order in which they are tried. If one of them has responded before, the order begins with this port.
 */
const inOrder = (ports: ReadonlyArray<number>, worked: number | undefined): ReadonlyArray<number> =>
  worked === undefined || !ports.includes(worked) ? ports : [worked, ...ports.filter((port) => port !== worked)]

/** The port to query now. */
export const currentPort = ({ ports, tried }: Candidates, last: Reply | undefined): number =>
  inOrder(ports, last?.queryPort)[tried]!

/** Begins a new check with the first port. */
export const beginAgain = (candidates: Candidates): void => {
  candidates.tried = 0
  candidates.firstFailure = undefined
}

/** Returns true if the port is closed or the query timed out. In both cases, the server may use another port. */
const isUnheard = ({ error }: Failed): boolean => error._tag === "Timeout" || error._tag === "PortClosed"

const isLocalFault = ({ error }: Failed): boolean => "local" in error && error.local === true

/**
 * The result of a target's check; `undefined` if the check must continue with another port. `isTaken` returns whether a port belongs to
 * another target.
 *
 * If the server has responded at a port before, only this port is tried, because the other ports may belong to other servers on the host.
 * While the state of the target is `down`, the other ports are tried, too. If a server at one of these ports has the name that is in the
 * last reply, it is treated as the monitored server. Otherwise, the reply of the server at this port is ignored.
 */
export const settlePort = (target: Target, result: Result, isTaken: (port: number) => boolean): Result | undefined => {
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

/**
 * Computes the summary of a target's reply. If the reply contains the port that responded, the summary contains this port instead of the
 * port in `address`.
 */
export const makeSummary = (address: string, answer: Reply): Summary =>
  summary(answer.queryPort === undefined ? address : address.replace(/\d+$/, String(answer.queryPort)), answer)
