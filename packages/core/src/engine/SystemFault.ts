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
 * The kind of fault for each error code of the system. Faults of the kind `local` also have an explanation (`means`). Their cause is on
 * this host, so the datagram is sent again later.
 *
 * The meaning of `EHOSTUNREACH` depends on the socket:
 *
 * - On a connected socket, the code means that the network does not find the host of the peer, or that a firewall rejects the datagram.
 * - On an unconnected socket, Linux reports this code only if the routes of this host forbid the address.
 * - On an unconnected socket, BSD reports this code if the gateway of this host does not respond. If a host on the same network does not
 *   respond, BSD reports `EHOSTDOWN`.
 */
const FAULTS = new Map<string, readonly [kind: Kind, means?: string]>([
  ["ECONNREFUSED", ["refused"]],
  // Windows reports ICMP port unreachable as a connection reset.
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

/** Codes that mean that too many sockets are open. */
const EXHAUSTED = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL"])

/**
 * Whether a socket could not be opened because too many sockets are open, according to the error code. If so, requests must share sockets.
 */
export const isExhausted = (code: string | undefined): boolean => EXHAUSTED.has(code ?? "")

const explainCode = (code: string | undefined, hasPeer: boolean): readonly [kind: Kind, means?: string] =>
  hasPeer && code === "EHOSTUNREACH" ? ["unreachable"] : (FAULTS.get(code ?? "") ?? ["failed"])

/** Returns a sentence that explains the code or, for faults of the kinds `refused` and `failed`, the system's own message. */
const sentence = (code: string | undefined, kind: Kind, means: string | undefined, message: string): string => {
  if (kind === "local") return `This host could not send (${code}): ${means}.`
  return kind === "unreachable"
    ? `The host is unreachable (${code}): it is down, or a firewall rejects the datagrams.`
    : message
}

/** Converts an error of an open socket to a fault. If the error contains the address and port of the peer, the fault contains them, too. */
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

/** Converts the error of a UDP socket that could not be opened. */
export const openFailed = (error: unknown): SendFailed => {
  const { code, kind, message, peer } = toSocketFault(error)
  // If the caller selected a local address, the error contains this address, and the address is the cause of the error. Otherwise the error
  // contains no address.
  const isSelected = code === "EADDRNOTAVAIL" && peer !== undefined
  const text = isSelected ? (error as SystemError).message : message
  return new SendFailed({
    message: isSelected || kind === "failed" || kind === "refused" ? `Cannot open a UDP socket: ${text}.` : message,
    ...(code === undefined ? {} : { code }),
    ...(kind === "local" ? { local: true } : {})
  })
}
