/** Faults of the socket, and malformed datagrams. */
import { assert, describe, it } from "@effect/vitest"
import { splitDatagram } from "@sourcewire/protocol/wire"
import type { Commands } from "./oneCommand.ts"
import { connectionless, LIMITS, makeMachine, bytes } from "./oneCommand.ts"

const started = (): Commands => {
  const machine = makeMachine()
  machine.start(bytes("status"), LIMITS, 0)
  assert.lengthOf(machine.takeDatagrams(), 1)
  return machine
}
const challenged = (): Commands => {
  const machine = started()
  machine.receive(connectionless("challenge rcon 123\n\0"), 10)
  assert.lengthOf(machine.takeDatagrams(), 1)
  return machine
}
const takeEnd = (machine: Commands) => {
  const events = machine.takeEvents()
  assert.isAtMost(events.length, 1)
  return events[0]
}

describe("a fault of the socket", () => {
  it("ends the command in flight with PortClosed if the port is closed", () => {
    const machine = started()
    machine.fault("refused", "ECONNREFUSED")
    const end = takeEnd(machine)
    assert.deepInclude(end?.kind === "ended" ? end.error : undefined, {
      _tag: "PortClosed",
      message: "The UDP port is closed. Check that the server is running, and that this is its port."
    })
  })
})

describe("a malformed datagram", () => {
  it("ends the command with Malformed if the datagram is an invalid challenge, and a challenge is expected", () => {
    const machine = started()
    machine.receive(connectionless("challenge rcon x\n\0"), 10)
    const end = takeEnd(machine)
    assert.deepInclude(end?.kind === "ended" ? end.error : undefined, {
      _tag: "Malformed",
      messageTag: "RconChallengeReply",
      field: "challenge"
    })
  })

  it.each(["challenge rcon x\n\0", "I\x11", "D", "\xff"])(
    "is ignored while the exchange waits for the reply to the command: %j",
    (text) => {
      const machine = challenged()
      machine.receive(connectionless(text), 20)
      assert.isUndefined(takeEnd(machine))
    }
  )

  it.each(["I\x11", "D", "\xff"])("is ignored while the exchange waits for the challenge: %j", (text) => {
    const machine = started()
    machine.receive(connectionless(text), 20)
    assert.isUndefined(takeEnd(machine))
  })
})

describe("fragments", () => {
  it("are ignored if they are invalid, and end the command with LimitExceeded if their total length is too large", () => {
    const machine = challenged()
    machine.receive(Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0, 0), 20)
    assert.isUndefined(takeEnd(machine))
    const [first, ...rest] = splitDatagram(new Uint8Array(600_000).fill(0xff), {
      layout: "goldsource",
      id: 1,
      maxBytes: 60_000
    })
    machine.receive(first!, 20)
    for (const fragment of rest) machine.receive(fragment, 21)
    const end = machine.takeEvents().at(-1)
    assert.deepInclude(end?.kind === "ended" ? end.error : undefined, { _tag: "LimitExceeded" })
  })
})
