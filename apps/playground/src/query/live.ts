/** A stream of the bridge that goes on until it ends, is stopped, or is begun anew. */
import { signal } from "@preact/signals"
import { explain, stream } from "./bridge.ts"

/** One of them at a time. */
export class Live {
  readonly running = signal(false)
  /** Why it broke off, for people. */
  readonly ended = signal<string | undefined>(undefined)
  #current: AbortController | undefined

  readonly stop = (): void => this.#current?.abort()

  /** Begins, and hands over each event until the next beginning. */
  async follow<A>(path: string, body: unknown, take: (event: A) => void): Promise<void> {
    this.stop()
    const own = new AbortController()
    this.#current = own
    this.running.value = true
    this.ended.value = undefined
    try {
      for await (const event of stream<A>(path, body, own.signal)) if (this.#current === own) take(event)
    } catch (error) {
      if (this.#current === own) this.ended.value = explain(error)
    } finally {
      if (this.#current === own) this.running.value = false
    }
  }
}
