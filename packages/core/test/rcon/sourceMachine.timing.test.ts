/**
 * Tests when the state machine sends mirror packets, when a reply ends, and when a command or the login fails. The client sends a mirror
 * packet after a command. A Source server returns this packet after the reply to the command. Therefore, the returned packet marks the end
 * of the reply.
 */
import { assert, describe, it } from "@effect/vitest"
import { AUTH_RESPONSE, EXEC_COMMAND, Limits } from "@sourcewire/protocol/wire"
import type { SourceMachine } from "../../src/rcon/sourceMachine.ts"
import { PIPELINE_WINDOW, VERDICT_MS } from "../../src/rcon/sourceMachine.ts"
import {
  AFTER_MIRROR,
  begin,
  bytes,
  LIMITS,
  loggedIn,
  reply,
  stream,
  submit,
  TIMEOUT_MS,
  summarize,
  verdict
} from "./sourceServer.ts"

/** The minimum quiet period, which applies to the nearby servers of these tests. */
const QUIET_MS = 100

const getError = (machine: SourceMachine): Error => {
  const event = machine.takeEvents().at(-1)
  return event !== undefined && "error" in event && event.error !== undefined ? event.error : assert.fail("no error")
}

/** Returns a machine that has detected that the server returns mirror packets. */
const pipeliningMachine = () => {
  const machine = loggedIn()
  const first = submit(machine, "status", 20)
  machine.receive(stream([reply(first, "x")]), 30)
  const mirror = machine.takePackets().at(-1)!
  machine.receive(stream([reply(mirror.id, "")]), 40)
  machine.takeEvents()
  assert.strictEqual(machine.room, PIPELINE_WINDOW)
  return machine
}

/** Returns a machine that has detected that the server does not return mirror packets, and the id of its first mirror packet. */
const quietMachine = () => {
  const machine = loggedIn()
  const first = submit(machine, "status", 20)
  machine.receive(stream([reply(first, "x")]), 30)
  const mirror = machine.takePackets().at(-1)!
  machine.expire(machine.deadline)
  machine.takeEvents()
  return { machine, mirror: mirror.id }
}

/** Returns a machine that has detected that the server replies to a mirror packet with text. */
const sequential = () => {
  const machine = loggedIn()
  const first = submit(machine, "status", 20)
  machine.receive(stream([reply(first, "x")]), 30)
  machine.receive(stream([reply(machine.takePackets().at(-1)!.id, "Unknown request 0")]), 40)
  machine.takeEvents()
  return machine
}

describe("the login", () => {
  it("does not fail before the time limit", () => {
    const { machine } = begin()
    machine.expire(TIMEOUT_MS - 1)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [])
    assert.strictEqual(machine.deadline, TIMEOUT_MS)
  })

  it("fails if the server refuses the password, and the error message reports whether the server accepted the password before", () => {
    const { machine } = begin()
    machine.receive(stream([verdict(-1)]), 1)
    assert.strictEqual(getError(machine).message, "The server refused the RCON password.")
    const later = loggedIn()
    later.receive(stream([verdict(-1)]), 100)
    assert.strictEqual(getError(later).message, "The server accepted the RCON password, and refused it later.")
  })

  it.each([
    ["another type", { id: -1, type: 5, body: bytes("") }],
    ["another id", { id: 77, type: AUTH_RESPONSE, body: bytes("") }]
  ])("remains valid if a packet looks like a refusal, but has %s", (_, packet) => {
    const machine = loggedIn()
    machine.receive(stream([packet]), 100)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [])
    assert.strictEqual(machine.room, 1)
  })

  it("provides the first measurement of the round-trip time, from the password to the login result", () => {
    const { auth, machine } = begin("quiet", 1000)
    machine.receive(stream([verdict(auth.id)]), 1200)
    const a = submit(machine, "list", 1220)
    machine.receive(stream([reply(a, "x")]), 1230)
    // The login took 200 ms, and the command took 10 ms. These two RTTs result in a smoothed RTT of 176.25 ms and a variation of 122.5 ms.
    // The quiet period is twice the smoothed RTT plus four times the variation.
    assert.strictEqual(machine.deadline, 1230 + 842.5)
  })
})

describe("a broken connection", () => {
  const broken = () => {
    const { machine } = begin()
    machine.receive(stream([verdict(-1)]), 1)
    machine.takeEvents()
    return machine
  }

  it("reports no further events, even if packets arrive", () => {
    const machine = broken()
    machine.receive(stream([verdict(1), reply(2, "x"), verdict(-1)]), 2)
    machine.receive(bytes("SSH-2.0-OpenSSH_9.6\r\n"), 3)
    machine.disconnected("reset")
    machine.expire(60_000)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [])
    assert.strictEqual(machine.room, 0)
    assert.strictEqual(machine.deadline, Number.POSITIVE_INFINITY)
  })

  it("ends a command in flight with an error about the incomplete reply", () => {
    const machine = loggedIn()
    submit(machine, "list", 20)
    machine.disconnected("reset")
    assert.match(getError(machine).message, /lost before the reply was complete \(reset\)/)
  })
})

describe("the mirror packet", () => {
  it("is sent when the first command has been in flight for `VERDICT_MS` without a reply", () => {
    const machine = loggedIn()
    submit(machine, "list", 20)
    machine.takePackets()
    assert.strictEqual(machine.deadline, 20 + VERDICT_MS)
    machine.expire(19 + VERDICT_MS)
    assert.lengthOf(machine.takePackets(), 0)
    machine.expire(20 + VERDICT_MS)
    assert.lengthOf(machine.takePackets(), 1)
  })

  it("is sent after three round-trip times without a reply if the server is distant", () => {
    const { auth, machine } = begin()
    machine.receive(stream([verdict(auth.id)]), 1000)
    submit(machine, "list", 1000)
    assert.strictEqual(machine.deadline, 1000 + 3 * 1000)
  })

  it("is not sent if the terminator is `quiet`", () => {
    const machine = loggedIn("quiet")
    submit(machine, "list", 20)
    machine.expire(20 + VERDICT_MS)
    assert.deepStrictEqual(
      machine.takePackets().map(({ type }) => type),
      [EXEC_COMMAND]
    )
  })

  it("starts a quiet period if the mirror packet arrives before the reply, and a part of the reply restarts this quiet period", () => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "list", 20)
    machine.receive(stream([reply(machine.takePackets().at(-1)!.id, "")]), 30)
    assert.strictEqual(machine.deadline, 30 + QUIET_MS)
    machine.receive(stream([reply(a, "late")]), 60)
    assert.strictEqual(machine.deadline, 60 + QUIET_MS)
  })

  it("marks the end of an empty reply, even if the packet that follows the mirror packet is late", () => {
    for (const isLate of [false, true]) {
      const machine = loggedIn()
      const a = submit(machine, "sv_cheats 0", 20)
      machine.expire(machine.deadline)
      const mirror = machine.takePackets().at(-1)!
      machine.receive(stream([reply(mirror.id, "")]), 1000)
      if (!isLate) machine.receive(stream([reply(mirror.id, AFTER_MIRROR)]), 1000)
      machine.expire(machine.deadline)
      if (isLate) machine.receive(stream([reply(mirror.id, AFTER_MIRROR)]), 2000)
      assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a} end`])
      assert.strictEqual(machine.room, PIPELINE_WINDOW)
    }
  })

  it("is ignored if its command was abandoned", () => {
    const machine = loggedIn()
    const a = submit(machine, "list", 20)
    machine.receive(stream([reply(a, "x")]), 30)
    const mirror = machine.takePackets().at(-1)!
    machine.cancel(a)
    machine.cancel(999)
    machine.receive(stream([reply(mirror.id, "")]), 40)
    assert.strictEqual(machine.room, 1)
  })

  it("allows several commands in flight if the terminator is `mirror`, even if the server replies to the mirror packet with text", () => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "list", 20)
    const mirror = machine.takePackets().at(-1)!
    machine.receive(stream([reply(a, "x"), reply(mirror.id, "Unknown request 0")]), 30)
    assert.strictEqual(machine.room, PIPELINE_WINDOW)
  })

  it("is still sent after a command without output if the server replies to mirror packets with text", () => {
    const machine = sequential()
    submit(machine, "sv_cheats 0", 50)
    machine.expire(machine.deadline)
    machine.receive(stream([reply(machine.takePackets().at(-1)!.id, "Unknown request 0")]), 1000)
    machine.expire(machine.deadline)
    const b = submit(machine, "list", 2000)
    machine.takePackets()
    machine.receive(stream([reply(b, "x")]), 2010)
    assert.lengthOf(machine.takePackets(), 1)
  })

  it("is sent again after a switch to quiet periods if the server returns an old mirror packet, even after another command", () => {
    const { machine, mirror } = quietMachine()
    const b = submit(machine, "list", 2000)
    machine.receive(stream([reply(b, "x")]), 2010)
    machine.expire(machine.deadline)
    machine.receive(stream([reply(mirror, "")]), 2500)
    const c = submit(machine, "list", 3000)
    machine.takePackets()
    machine.receive(stream([reply(c, "y")]), 3010)
    assert.lengthOf(machine.takePackets(), 1, "asks for a mirror again")
  })

  it("does not mark the end of a reply after the machine has switched to quiet periods", () => {
    const machine = pipeliningMachine()
    submit(machine, "hangs", 100)
    const b = submit(machine, "list", 1000)
    const c = submit(machine, "list", 1000)
    const mirror = machine.takePackets().at(-1)!
    machine.expire(100 + TIMEOUT_MS)
    machine.receive(stream([reply(b, "x")]), 110 + TIMEOUT_MS)
    machine.expire(machine.deadline)
    machine.receive(stream([reply(c, "y"), reply(mirror.id, "")]), 5900)
    assert.deepStrictEqual(summarize(machine.takeEvents()).slice(-2), [`${b} end`, `${c}: y`])
    machine.expire(machine.deadline)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${c} end`])
  })
})

describe("a timeout", () => {
  it("switches the machine to one command at a time", () => {
    const machine = pipeliningMachine()
    submit(machine, "hangs", 100)
    machine.expire(100 + TIMEOUT_MS)
    assert.deepStrictEqual(summarize(machine.takeEvents()).length, 1)
    assert.strictEqual(machine.room, 1)
  })

  it("does not switch the machine to one command at a time if the terminator is `mirror`, and does not end the use of quiet periods", () => {
    const mirroring = loggedIn("mirror")
    submit(mirroring, "hangs", 100)
    mirroring.expire(100 + TIMEOUT_MS)
    assert.strictEqual(mirroring.room, PIPELINE_WINDOW)
    const { machine } = quietMachine()
    submit(machine, "hangs", 2000)
    machine.expire(2000 + TIMEOUT_MS)
    machine.takePackets()
    const b = submit(machine, "list", 8000)
    machine.receive(stream([reply(b, "x")]), 8010)
    assert.strictEqual(machine.deadline, 8010 + QUIET_MS)
    assert.lengthOf(machine.takePackets(), 1)
  })

  it("is counted once for several commands that time out together, and the connection ends after the next timeout", () => {
    const machine = loggedIn("mirror")
    submit(machine, "one", 0)
    submit(machine, "two", 0)
    machine.expire(10 + TIMEOUT_MS)
    assert.strictEqual(machine.takeEvents().length, 2)
    assert.strictEqual(machine.room, PIPELINE_WINDOW)
    submit(machine, "three", 10 + TIMEOUT_MS)
    machine.expire(10 + 2 * TIMEOUT_MS)
    assert.match(getError(machine).message, /the server stopped responding/)
  })

  it("is measured from the submission of the command, even if the last data arrived long before", () => {
    const machine = loggedIn("quiet")
    submit(machine, "list", 10_000)
    assert.strictEqual(machine.deadline, 10_000 + TIMEOUT_MS)
  })

  it("does not happen while a long packet arrives slowly", () => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "cvarlist", 0)
    const mirror = machine.takePackets().at(-1)!
    const whole = stream([reply(a, "x".repeat(100)), reply(mirror.id, "")])
    for (let i = 0; i < 4; i++) {
      machine.receive(whole.subarray(i * 20, (i + 1) * 20), 10 + i * 4000)
      machine.expire(3000 + i * 4000)
    }
    machine.receive(whole.subarray(80), 16_000)
    assert.deepStrictEqual(summarize(machine.takeEvents()).at(-1), `${a} end`)
  })
})

describe("a quiet period", () => {
  it("restarts if a packet is incomplete when the quiet period ends", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "cvarlist", 0)
    machine.receive(stream([reply(a, "one"), reply(a, "two")]).subarray(0, 25), 10)
    assert.strictEqual(machine.deadline, 10 + QUIET_MS)
    machine.expire(9 + QUIET_MS)
    assert.strictEqual(machine.deadline, 10 + QUIET_MS)
    machine.expire(10 + QUIET_MS)
    assert.strictEqual(machine.deadline, 10 + 2 * QUIET_MS)
  })

  it.each([
    [3899, QUIET_MS],
    [3900, 2.5 * QUIET_MS]
  ])("depends on the length of the last part (part: %i bytes, quiet period: %i ms)", (length, quietMs) => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "cvarlist", 0)
    machine.receive(stream([reply(a, "x".repeat(length))]), 10)
    assert.strictEqual(machine.deadline, 10 + quietMs)
  })
})

describe("a reply", () => {
  it("ends with LimitExceeded if all its packets together are too long, including packets without text", () => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "cvarlist", 0)
    const piece = stream([reply(a, "x".repeat(Limits.MAX_RCON_REPLY_BYTES / 8 - 16))])
    for (let i = 0; i < 8; i++) machine.receive(piece, 10)
    assert.lengthOf(machine.takeEvents(), 8)
    machine.receive(stream([reply(a, "")]), 10)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a} LimitExceeded`, "broken ConnectionClosed"])
  })

  it("ends without parts and without an error if the server sends an empty packet", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "echo", 0)
    machine.receive(stream([reply(a, "")]), 10)
    machine.expire(machine.deadline)
    assert.deepStrictEqual(machine.takeEvents(), [{ kind: "ended", ticket: a }])
  })

  it("ends with Timeout at the total time limit, even if parts still arrive", () => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "cvarlist", 0)
    for (let now = 4000; now < LIMITS.totalTimeoutMs; now += 4000) machine.receive(stream([reply(a, "x")]), now)
    machine.expire(LIMITS.totalTimeoutMs - 1)
    assert.notInclude(JSON.stringify(machine.takeEvents()), "ended")
    machine.expire(LIMITS.totalTimeoutMs)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a} Timeout`, "broken ConnectionClosed"])
  })
})
