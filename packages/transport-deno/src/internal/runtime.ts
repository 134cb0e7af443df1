/**
 * The part of Deno that UDP needs, as Deno 2.9 has it: `listenDatagram` is not stable yet, and its published types lack `ref` and
 * `unref`.
 */

/** The other end of a datagram, in Deno's words. */
export interface NetAddr {
  readonly transport: "udp"
  readonly hostname: string
  readonly port: number
}

/** A UDP socket of Deno. */
export interface DatagramConn {
  readonly addr: NetAddr
  /** The bytes are a view of `buffer`. Rejects when the socket is closed. */
  readonly receive: (buffer: Uint8Array) => Promise<readonly [bytes: Uint8Array, sender: NetAddr]>
  readonly send: (bytes: Uint8Array, to: NetAddr) => Promise<number>
  readonly close: () => void
  /** Whether a pending `receive` keeps the program running, from now on. */
  readonly ref: () => void
  readonly unref: () => void
}

type ListenDatagram = (options: NetAddr) => DatagramConn

/** Absent outside Deno, and in Deno without `--unstable-net`. */
export const listenDatagram: ListenDatagram | undefined = (
  globalThis as { readonly Deno?: { readonly listenDatagram?: ListenDatagram } }
).Deno?.listenDatagram
