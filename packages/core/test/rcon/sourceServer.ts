/**
 * Creates packets that a Source server sends over TCP, and state machines of a client before and after the login.
 *
 * @module
 */
import { assert } from "@effect/vitest"
import { AUTH_RESPONSE, encodePacket, RESPONSE_VALUE } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import { QuietRule } from "../../src/rcon/quietRule.ts"
import { concatBytes } from "@sourcewire/inside/bytes"
import type { Terminator } from "../../src/rcon/options.ts"
import type { SourceEvent } from "../../src/rcon/sourceMachine.ts"
import { SourceMachine } from "../../src/rcon/sourceMachine.ts"

export const bytes = (text: string) => new TextEncoder().encode(text)
export const text = (body: Uint8Array) => new TextDecoder().decode(body)
export const EMPTY = new Uint8Array(0)
export const AFTER_MIRROR = Uint8Array.of(0, 1, 0, 0)
export const TIMEOUT_MS = 5000
export const LIMITS = { timeoutMs: TIMEOUT_MS, totalTimeoutMs: 30_000 }

export const reply = (id: number, body: Uint8Array | string): SourceRconPacket => ({
  id,
  type: RESPONSE_VALUE,
  body: typeof body === "string" ? bytes(body) : body
})
export const verdict = (id: number): SourceRconPacket => ({ id, type: AUTH_RESPONSE, body: EMPTY })
export const stream = (packets: ReadonlyArray<SourceRconPacket>) => concatBytes(packets.map(encodePacket))

export const plain = (packets: ReadonlyArray<SourceRconPacket>) =>
  packets.map(({ body, id, type }) => ({ id, type, body: text(body) }))

/**
 * Returns one short text per event, such as `2: text` for a part, `2 end`, `2 Timeout` or `ready`. The number is the ticket of the command.
 */
export const summarize = (events: ReadonlyArray<SourceEvent>) =>
  events.map((event) => {
    switch (event.kind) {
      case "part":
        return `${event.ticket}: ${text(event.bytes)}`
      case "ended":
        return `${event.ticket} ${event.error?._tag ?? "end"}`
      case "broken":
        return `broken ${event.error._tag}`
      case "ready":
        return "ready"
    }
  })

export const begin = (terminator: Terminator = "auto", now = 0) => {
  const machine = new SourceMachine(
    { password: bytes("probe pw"), terminator, timeoutMs: TIMEOUT_MS, quiet: new QuietRule() },
    now
  )
  const [auth] = machine.takePackets()
  return { machine, auth: auth! }
}

export const loggedIn = (terminator: Terminator = "auto") => {
  const { auth, machine } = begin(terminator)
  machine.receive(stream([reply(auth.id, ""), verdict(auth.id)]), 10)
  assert.deepStrictEqual(summarize(machine.takeEvents()), ["ready"])
  return machine
}

export const submit = (machine: SourceMachine, command: string, now: number) =>
  machine.submit(bytes(command), LIMITS, now)
