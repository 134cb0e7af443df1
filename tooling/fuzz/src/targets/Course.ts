/** Machines in virtual time; deadlines that pass on the way are kept. */
import { type Exchange, Step } from "@sourcewire/core/machines"
import { type Input, must } from "../Target.ts"

/** Goes through events: time passed / 16 ms, and what happens then; `settle` looks at the machine after everything that it was told. */
export const play = (
  machine: { readonly deadline: number; readonly expire: (now: number) => unknown },
  events: Input,
  happen: (event: Uint8Array, now: number) => void,
  settle: () => void
): void => {
  let now = 0
  const waitUntil = (at: number): void => {
    for (let rounds = 0; machine.deadline <= at; rounds++) {
      must(rounds < 1000, "deadlines without end")
      now = Math.max(now, machine.deadline)
      machine.expire(now)
      settle()
    }
    now = Math.max(now, at)
  }
  settle()
  for (const event of events) {
    waitUntil(now + (event[0] ?? 0) * 16)
    happen(event, now)
    settle()
  }
  waitUntil(now + 60_000)
}

/** An exchange, and how often it has sent. */
export class Course<X extends Exchange<unknown, unknown>> {
  readonly exchange: X
  sent = 0
  #now = 0
  readonly #endsAt: number

  /** It ends within so many ms. */
  constructor(exchange: X, endsAt: number) {
    this.exchange = exchange
    this.#endsAt = endsAt
    this.#take(exchange.start(0))
  }

  /**
   * Goes through events to the end: time passed / 16 ms, and behind what steers a target the datagram, which may come after the result.
   * Gives the result. `onDatagram` is told of each that comes before it.
   */
  play(events: Input, steering: number, onDatagram: (datagram: Uint8Array) => void = () => {}) {
    for (const event of events) {
      this.#waitUntil(this.#now + (event[0] ?? 0) * 16)
      const bytes = event.slice(steering)
      if (this.exchange.result === undefined) onDatagram(event.subarray(steering))
      this.#take(this.exchange.receive(bytes, this.#now))
      bytes.fill(0xcc)
    }
    this.#waitUntil(this.#endsAt)
    const result: X["result"] = this.exchange.result
    must(result !== undefined, "the exchange does not end in time")
    JSON.stringify(result)
    return result
  }

  #waitUntil(at: number): void {
    while (this.exchange.result === undefined && this.exchange.deadline <= at) {
      this.#now = Math.max(this.#now, this.exchange.deadline)
      this.#take(this.exchange.expire(this.#now))
    }
    this.#now = Math.max(this.#now, at)
  }

  #take(step: Step): void {
    const { deadline, result } = this.exchange
    must((step === Step.Done) === (result !== undefined), "done without a result, or a result without being done")
    if (step === Step.Send) this.sent++
    if (step !== Step.Done) must(deadline <= this.#endsAt && deadline >= this.#now, "waits beyond its time")
  }
}
