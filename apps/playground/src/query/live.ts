/** Receives a stream of events from the network until the network ends the stream, the user stops it, or a new stream starts. */
import { signal } from "@preact/signals"
import { explain } from "../network/Network.ts"
import { network } from "../network/networks.ts"

/** Runs streams of events, at most one at a time. */
export class Live {
  readonly running = signal(false)
  /**
   * Why the network ended the last stream early, as a message for the user. `undefined` if the stream still runs, has ended as expected, or
   * was stopped by the user.
   */
  readonly ended = signal<string | undefined>(undefined)
  #current: AbortController | undefined

  readonly stop = (): void => this.#current?.abort()

  /** Starts a stream, and stops the previous stream. Calls `take` with each event of the new stream. */
  async follow<A>(path: string, body: unknown, take: (event: A) => void): Promise<void> {
    this.stop()
    const own = new AbortController()
    this.#current = own
    this.running.value = true
    this.ended.value = undefined
    try {
      for await (const event of network.value.stream<A>(path, body, own.signal)) if (this.#current === own) take(event)
    } catch (error) {
      if (this.#current === own) this.ended.value = explain(error)
    } finally {
      if (this.#current === own) this.running.value = false
    }
  }
}
