/** A socket of a test case, and the datagrams that it received. */
import { Datagrams } from "@sourcewire/core/transport"
import type { DatagramHandler, Endpoint, OpenOptions, SocketFault } from "@sourcewire/core/transport"
import * as Effect from "effect/Effect"

/** Any free port of 127.0.0.1. */
export const V4: Endpoint = { address: "127.0.0.1", port: 0 }

interface Arrival {
  readonly bytes: Uint8Array
  readonly from: Endpoint
}

/** A handler that stores a copy of each datagram. Tests can wait until the stored datagrams satisfy a condition. */
export class Inbox implements DatagramHandler {
  readonly arrivals: Array<Arrival> = []
  readonly faults: Array<SocketFault> = []
  private waiting: { readonly enough: () => boolean; readonly resume: () => void } | undefined

  readonly onDatagram: DatagramHandler["onDatagram"] = (bytes, address, port) => {
    this.arrivals.push({ bytes: bytes.slice(), from: { address, port } })
    this.notify()
  }

  readonly onFault: DatagramHandler["onFault"] = (fault) => {
    this.faults.push(fault)
    this.notify()
  }

  /** Waits until the condition holds. Fails with `what` after a time limit. */
  until(enough: () => boolean, what: string): Effect.Effect<void, Error> {
    return Effect.callback<void>((resume) => {
      this.waiting = { enough, resume: () => resume(Effect.void) }
      this.notify()
    }).pipe(Effect.timeoutOrElse({ duration: "10 seconds", orElse: () => Effect.fail(new Error(`${what} in 10 s`)) }))
  }

  private notify(): void {
    if (this.waiting?.enough() === true) this.waiting.resume()
  }
}

export const openSocket = (options: Omit<OpenOptions, "family"> = { bind: V4 }, inbox = new Inbox()) =>
  Effect.flatMap(Datagrams, ({ open }) => open({ family: 4, ...options }, inbox))
