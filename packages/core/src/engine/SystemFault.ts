/**
 * Explains the system's error codes for sockets. All runtimes use the same codes (`ECONNREFUSED` and so on), so the transports share this
 * module.
 */
import type { SocketFault } from "./SocketFault.ts"
import { SendFailed } from "./QueryError.ts"

/** An error of the system, as runtimes throw it. */
interface SystemError extends Error {
  readonly code?: string
  readonly address?: string
  readonly port?: number
}

type Kind = SocketFault["kind"]

/**
 * The kind of each error code of the system, and an explanation if the code is not enough. A fault of this machine says nothing about the
 * server, and the datagram is sent again. `EHOSTUNREACH` depends on the socket. On a connected one, it reports the firewall of the peer. On
 * any other, Linux reports it only if its own routes forbid the address, and BSD if its own gateway is silent (for a silent neighbor, it
 * reports `EHOSTDOWN`).
 */
const FAULTS = new Map<string, readonly [kind: Kind, means?: string]>([
  ["ECONNREFUSED", ["refused"]],
  // Windows reports port unreachable as a reset.
  ["ECONNRESET", ["refused"]],
  ["EHOSTDOWN", ["unreachable"]],
  ["EHOSTUNREACH", ["local", "there is no route to that host, or the gateway does not respond"]],
  [
    "ENETUNREACH",
    [
      "local",
      "there is no route to that network. Check the network connection, and whether this host has that IP version"
    ]
  ],
  ["ENETDOWN", ["local", "the network interface is down"]],
  ["EADDRNOTAVAIL", ["local", "there is no local address or port to send from"]],
  ["EPERM", ["local", "the local firewall forbids it"]],
  ["ENOBUFS", ["local", "the send queue is full"]],
  ["ENOMEM", ["local", "there is no memory for network buffers"]],
  ["EMFILE", ["local", "the program has no file descriptors left. Raise the limit (ulimit -n)"]],
  ["ENFILE", ["local", "the system has no file descriptors left"]]
])

/** The codes that mean that there are too many sockets. */
const EXHAUSTED = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL"])

/** Whether an error of opening with this code means that there are too many sockets: others have to be shared. */
export const isExhausted = (code: string | undefined): boolean => EXHAUSTED.has(code ?? "")

const explainCode = (code: string | undefined, hasPeer: boolean): readonly [kind: Kind, means?: string] =>
  hasPeer && code === "EHOSTUNREACH" ? ["unreachable"] : (FAULTS.get(code ?? "") ?? ["failed"])

/** The sentence for the code, or the system's own message. */
const sentence = (code: string | undefined, kind: Kind, means: string | undefined, message: string): string => {
  if (kind === "local") return `This host could not send (${code}): ${means}.`
  return kind === "unreachable"
    ? `The host is unreachable (${code}): it is down, or a firewall rejects the datagrams.`
    : message
}

/** The fault for an error of an open socket. It names the peer if the error does. */
export const toSocketFault = (error: unknown, hasPeer = false): SocketFault => {
  const { address, code, message, port } = error as SystemError
  const [kind, means] = explainCode(code, hasPeer)
  return {
    kind,
    message: sentence(code, kind, means, message),
    ...(code === undefined ? {} : { code }),
    ...(address === undefined || port === undefined ? {} : { peer: { address, port } })
  }
}

/** The error if a UDP socket cannot be opened. */
export const openFailed = (error: unknown): SendFailed => {
  const { code, kind, message } = toSocketFault(error)
  return new SendFailed({
    message: kind === "failed" || kind === "refused" ? `Cannot open a UDP socket: ${message}.` : message,
    ...(code === undefined ? {} : { code }),
    ...(kind === "local" ? { local: true } : {})
  })
}
