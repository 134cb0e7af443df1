/**
 * The failures of sockets and of the client itself, with their sentences.
 *
 * @module
 */
import type { SocketFault } from "./Datagrams.ts"
import { ConnectionClosed, PortClosed, SendFailed } from "./QueryError.ts"

/** The client is gone. */
export const closed = (): ConnectionClosed =>
  new ConnectionClosed({ message: "The client was closed before the answer came." })

/** What a socket reports about an address. */
export const ofSocket = (fault: SocketFault): PortClosed | SendFailed =>
  fault.kind === "refused"
    ? new PortClosed({
        message:
          "Nothing listens on that port: the host says so (ICMP port unreachable). Is the server running, and is this its query port?"
      })
    : new SendFailed({ message: fault.message, ...(fault.code === undefined ? {} : { code: fault.code }) })
