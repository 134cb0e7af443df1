/** Runs state machines in virtual time. Before each event, the machine handles all deadlines that expire until the time of this event. */
import { type Exchange, Step } from "@sourcewire/core/engine"
import { type Input, must } from "../Target.ts"

/**
 * Runs events. The first byte of an event is the time since the last event, in units of 16 ms. `happen` is called with the complete event.
 * `settle` checks the machine after each event and after each deadline.
 */
export const play = (
  machine: { readonly deadline: number; readonly expire: (now: number) => unknown },
  events: Input,
  happen: (event: Uint8Array, now: number) => void,
  settle: () => void = () => {}
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

/**
 * Runs an exchange to its end, which must be before `endsAt` (in ms). The first byte of an event is the time since the last event, in units
 * of 16 ms. The first `steering` bytes of an event control the target, and the rest is a datagram.
 *
 * Returns the result and the number of sent datagrams. Some datagrams may arrive after the result. `onDatagram` is called only with
 * datagrams that arrive before the result.
 */
export const converse = <X extends Exchange<unknown, unknown>>(
  exchange: X,
  endsAt: number,
  events: Input,
  steering: number,
  onDatagram: (datagram: Uint8Array) => void = () => {}
) => {
  let sent = 0
  const take = (step: Step, now: number): void => {
    const { deadline, result } = exchange
    must((step === Step.Done) === (result !== undefined), "done without a result, or a result without being done")
    if (step === Step.Send) sent++
    if (step !== Step.Done) must(deadline <= endsAt && deadline >= now, "waits beyond its time")
  }
  take(exchange.start(0), 0)
  const machine = {
    get deadline() {
      return exchange.result === undefined ? exchange.deadline : Number.POSITIVE_INFINITY
    },
    expire: (now: number) => take(exchange.expire(now), now)
  }
  play(machine, events, (event, now) => {
    const bytes = event.slice(steering)
    if (exchange.result === undefined) onDatagram(event.subarray(steering))
    take(exchange.receive(bytes, now), now)
    bytes.fill(0xcc)
  })
  const result: X["result"] = exchange.result
  must(result !== undefined, "the exchange does not end in time")
  JSON.stringify(result)
  return { result, sent }
}
