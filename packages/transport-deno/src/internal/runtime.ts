/** The types of Deno's UDP, as of Deno 2.9. `listenDatagram` is not stable yet, and its published types lack `ref` and `unref`. */

/** A network address in Deno's format. */
export interface NetAddr {
  readonly transport: "udp"
  readonly hostname: string
  readonly port: number
}

/** A UDP socket of Deno. */
export interface DatagramConn {
  readonly addr: NetAddr
  /** Waits for a datagram. The returned bytes are a view of `buffer`. The promise rejects when the socket is closed. */
  readonly receive: (buffer: Uint8Array) => Promise<readonly [bytes: Uint8Array, sender: NetAddr]>
  readonly send: (bytes: Uint8Array, to: NetAddr) => Promise<number>
  readonly close: () => void
  /** After `ref`, a pending `receive` keeps the program running. After `unref`, the program can exit although a `receive` is pending. */
  readonly ref: () => void
  readonly unref: () => void
}

type ListenDatagram = (options: NetAddr) => DatagramConn

/** `Deno.listenDatagram`; `undefined` outside Deno, and in Deno without `--unstable-net`. */
export const listenDatagram: ListenDatagram | undefined = (
  globalThis as { readonly Deno?: { readonly listenDatagram?: ListenDatagram } }
).Deno?.listenDatagram
