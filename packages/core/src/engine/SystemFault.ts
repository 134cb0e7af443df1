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
const UNREACHABLE = new Set(["EHOSTUNREACH", "EHOSTDOWN"])

/** Why this machine did not send, by the system's word for it. Nothing of it says anything about who was to be asked. */
const LOCAL = new Map([
  ["ENETUNREACH", "it has no way to that network. Check its connection, and whether it has that IP version"],
  ["ENETDOWN", "its network interface is down"],
  ["EADDRNOTAVAIL", "it has no address or port to send from"],
  ["EPERM", "its own firewall forbids it"],
  ["ENOBUFS", "its send queue is full"],
  ["ENOMEM", "it is out of memory for network buffers"],
  ["EMFILE", "the program has no file descriptor left. Raise its limit (ulimit -n)"],
  ["ENFILE", "the system has no file descriptor left"]
])

/** Those of them that one socket less would cure. */
const EXHAUSTED = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL"])

/** Whether an error with this code is this machine's alone: what was asked did not leave it, and may be tried again. */
export const isLocal = (code: string | undefined): boolean => LOCAL.has(code ?? "")

/** Whether an error of opening with this code means that there are too many sockets: others have to be shared. */
export const isExhausted = (code: string | undefined): boolean => EXHAUSTED.has(code ?? "")

const kindOf = (code: string | undefined): SocketFault["kind"] => {
  if (REFUSED.has(code ?? "")) return "refused"
  if (isLocal(code)) return "local"
  return UNREACHABLE.has(code ?? "") ? "unreachable" : "failed"
}

/** The sentence for the code; the system's own where there is none. */
const sentence = (code: string | undefined, kind: SocketFault["kind"], message: string): string => {
  if (kind === "local") return `This machine could not send (${code}): ${LOCAL.get(code!)}.`
  return kind === "unreachable"
    ? `No way to that host (${code}): it is off, or a firewall on the way says no.`
    : message
}

/** The fault that an error of an open socket stands for; the peer only where the error names it. */
export const faultOf = (error: SystemError): SocketFault => {
  const { address, code, message, port } = error
  const kind = kindOf(code)
  return {
    kind,
    message: sentence(code, kind, message),
    ...(code === undefined ? {} : { code }),
    ...(address === undefined || port === undefined ? {} : { peer: { address, port } })
  }
}

/** What opening a UDP socket fails with; `isLocal` and `isExhausted` of its code say whether to try again. */
export const openFailed = (error: SystemError): SendFailed => {
  const { kind, message } = faultOf(error)
  return new SendFailed({
    message: kind === "failed" || kind === "refused" ? `The system gave no UDP socket: ${message}.` : message,
    ...(error.code === undefined ? {} : { code: error.code })
  })
}
