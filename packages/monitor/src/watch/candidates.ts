/**
 * The query ports to try for a target that names a game. Within one check, the ports are tried one after the other until the server
 * responds. The port that responded is stored with the reply. All later checks try this port first, even if the monitor was restarted or
 * another instance performs the check.
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

/** Whether the query timed out or its port is closed. After either error, other ports are tried, because the server may use one of them. */
const isUnheard = ({ error }: Failed): boolean => error._tag === "Timeout" || error._tag === "PortClosed"

const isLocalFault = ({ error }: Failed): boolean => "local" in error && error.local === true

/**
 * The result of a target's check; `undefined` if the check must continue with another port. `isTaken` returns whether a port belongs to
 * another target.
 *
 * If one of the candidate ports has responded before, the other candidate ports may belong to other servers on the host. Therefore the
 * other ports are tried only while the state of the target is `down`. If a reply from one of the other ports contains the server name of
 * the last reply, this reply is accepted. If the reply contains another name, it is ignored.
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
 * Computes the summary of a target's reply. If `answer` contains the query port that responded, the address in the summary has this port.
 * Otherwise, the address in the summary is `address`.
 */
export const makeSummary = (address: string, answer: Reply): Summary =>
  summary(answer.queryPort === undefined ? address : address.replace(/\d+$/, String(answer.queryPort)), answer)
