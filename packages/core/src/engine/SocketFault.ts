/** Faults that sockets report, and the query errors that these faults cause. */
import { PortClosed, SendFailed } from "./QueryError.ts"

/** The source or destination of datagrams: a numeric address, in the form that the runtime uses, and a port. */
export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** A fault that a socket reports. The socket can still be used. */
export interface SocketFault {
  /**
   * - `refused`: ICMP port unreachable.
   * - `local`: this host could not send (no route, interface down, no buffers, or the firewall of this host). The fault does not concern
   *   the peer, and may soon end.
   * - `unreachable`: the host of the peer cannot be reached (the network does not find it, or a firewall rejects the datagram).
   * - `failed`: any other fault, for example a datagram above the size limit.
   */
  readonly kind: "refused" | "local" | "unreachable" | "failed"
  /** The fault, explained in a sentence. */
  readonly message: string
  /** The system's error code, such as `ECONNREFUSED`. */
  readonly code?: string
  /** The peer that the fault concerns, if the system reports it. */
  readonly peer?: Endpoint
}

/** Converts a fault to the error of the query. */
export const faultError = (fault: SocketFault): PortClosed | SendFailed =>
  fault.kind === "refused"
    ? new PortClosed({
        message:
          "The port is closed (ICMP port unreachable). Check that the server is running, and that this is its query port."
      })
    : new SendFailed({
        message: fault.message,
        ...(fault.code === undefined ? {} : { code: fault.code }),
        ...(fault.kind === "local" ? { local: true } : {})
      })
