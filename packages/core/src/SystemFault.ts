/**
 * What a system's error numbers mean to a socket. Runtimes spell the same errors alike (`ECONNREFUSED` and so on), so transports
 * share this.
 *
 * @module
 */
import type { SocketFault } from "./Datagrams.ts"
import { SendFailed } from "./QueryError.ts"

/** An error of the system, as runtimes pass it on. */
export interface SystemError extends Error {
  readonly code?: string
  readonly address?: string
  readonly port?: number
}

// Windows reports port unreachable as a reset.
const REFUSED = new Set(["ECONNREFUSED", "ECONNRESET"])
const UNREACHABLE = new Set(["EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "ENETDOWN", "EADDRNOTAVAIL"])

/**
 * The fault that an error of an open socket stands for; the peer only where the error names it.
 *
 * @example
 * import { SystemFault } from "@sourcewire/core"
 * const refused = Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" })
 * console.log(SystemFault.faultOf(refused).kind, SystemFault.openFailed(refused).message)
 */
export const faultOf = (error: SystemError): SocketFault => {
  const { address, code, message, port } = error
  const kind = REFUSED.has(code ?? "") ? "refused" : UNREACHABLE.has(code ?? "") ? "unreachable" : "failed"
  return {
    kind,
    message:
      kind === "unreachable" ? `No way to that address (${code}): check the network and the IP version.` : message,
    ...(code === undefined ? {} : { code }),
    ...(address === undefined || port === undefined ? {} : { peer: { address, port } })
  }
}

/** What opening a UDP socket fails with. */
export const openFailed = (error: SystemError): SendFailed => {
  const { kind, message } = faultOf(error)
  return new SendFailed({
    message: kind === "unreachable" ? message : `The system gave no UDP socket: ${message}.`,
    ...(error.code === undefined ? {} : { code: error.code })
  })
}
