/**
 * The types of Bun's UDP, as of Bun 1.4. Bun's published types lack `flags`. According to these types, the first argument of the callback
 * `error` is a socket, but Bun passes only the error.
 */

/** A UDP socket of Bun; `sendMany` throws the system's errors. */
export interface UdpSocket {
  readonly address: { readonly address: string; readonly port: number }
  /**
   * Sends datagrams, and returns how many of them were sent. On a connected socket, each datagram is one entry of `packets` (bytes). On
   * other sockets, each datagram is three entries (bytes, port, address).
   */
  readonly sendMany: (packets: ReadonlyArray<Uint8Array | number | string>) => number
  readonly close: () => void
  readonly unref: () => void
}

/** Options for opening a socket. */
export interface UdpOptions {
  readonly hostname: string
  readonly port: number
  readonly connect?: { readonly hostname: string; readonly port: number }
  readonly flags?: number
  readonly binaryType: "uint8array"
  readonly socket: {
    readonly data: (socket: UdpSocket, bytes: Uint8Array, port: number, address: string) => void
    readonly error: (error: Error) => void
    /** Called when the system's send queue was full and can accept datagrams again. */
    readonly drain: () => void
  }
}

type UdpSocketOf = (options: UdpOptions) => Promise<UdpSocket>

/** `Bun.udpSocket`; `undefined` outside Bun. */
export const udpSocket: UdpSocketOf | undefined = (globalThis as { readonly Bun?: { readonly udpSocket: UdpSocketOf } })
  .Bun?.udpSocket
