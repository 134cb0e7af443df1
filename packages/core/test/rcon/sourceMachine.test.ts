import { assert, describe, it } from "@effect/vitest"
import { AUTH, EXEC_COMMAND, RESPONSE_VALUE } from "@sourcewire/protocol/wire"
import type { SourceRconPacket } from "@sourcewire/protocol/wire"
import { concatBytes } from "@sourcewire/inside/bytes"
import { PIPELINE_WINDOW, VERDICT_MS } from "../../src/rcon/sourceMachine.ts"
import {
  AFTER_MIRROR,
  begin,
  bytes,
  LIMITS,
  loggedIn,
  plain,
  reply,
  stream,
  submit,
  TIMEOUT_MS,
  summarize,
  verdict
} from "./sourceServer.ts"

describe("authentication", () => {
  it("sends the password first, and accepts no command until the login result arrives", () => {
    const { auth, machine } = begin()
    assert.deepStrictEqual(plain([auth]), [{ id: auth.id, type: AUTH, body: "probe pw" }])
    assert.strictEqual(machine.room, 0)
  })

  const accepted = (id: number): ReadonlyArray<readonly [string, ReadonlyArray<SourceRconPacket>]> => [
    ["empty reply, then login result", [reply(id, ""), verdict(id)]],
    ["login result, then empty reply", [verdict(id), reply(id, "")]],
    ["login result only", [verdict(id)]],
    ["empty reply and login result with id 0, as sent by gorcon's test server", [reply(0, ""), verdict(0)]],
    ["login result with id 0", [verdict(0)]],
    ["login result with another id", [reply(id, ""), verdict(id + 41)]],
    ["login result of type 3, as sent by npm's rcon-server", [{ ...reply(id, "\0"), type: AUTH }]],
    ["login result of type 3 with id 0", [{ ...reply(0, ""), type: AUTH }]]
  ]
  const cases = accepted(begin().auth.id)

  it.each(cases)("succeeds, wherever TCP divides these packets: %s", (_, packets) => {
    const whole = stream(packets)
    for (let cut = 0; cut <= whole.length; cut++) {
      const { machine } = begin()
      machine.receive(whole.subarray(0, cut), 1)
      machine.receive(whole.subarray(cut), 2)
      assert.deepStrictEqual(summarize(machine.takeEvents()), ["ready"], `cut at ${cut}`)
      assert.strictEqual(machine.room, 1)
    }
  })

  it("fails with AuthenticationFailed if the id of the login result is -1", () => {
    const { auth, machine } = begin()
    machine.receive(stream([reply(auth.id, ""), verdict(-1)]), 1)
    assert.deepStrictEqual(summarize(machine.takeEvents()), ["broken AuthenticationFailed"])
  })

  it("fails with AuthenticationFailed if the type of the login result is -1 (npm's `rcon-server` sends this type)", () => {
    const { auth, machine } = begin()
    machine.receive(stream([{ ...reply(auth.id, "\0"), type: -1 }]), 1)
    assert.deepStrictEqual(summarize(machine.takeEvents()), ["broken AuthenticationFailed"])
  })

  it.each([0, 1, 4711])("does not treat a packet of type 0 or 4 as the login result (id: %i)", (id) => {
    const { machine } = begin()
    machine.receive(stream([reply(id, "Welcome"), { ...reply(id, "chat"), type: 4 }]), 1)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [])
    assert.strictEqual(machine.room, 0)
  })

  it("times out if there is no login result", () => {
    const { machine } = begin()
    assert.strictEqual(machine.deadline, TIMEOUT_MS)
    machine.expire(TIMEOUT_MS)
    const [event] = machine.takeEvents()
    assert.deepInclude(event, { kind: "broken" })
    assert.deepInclude((event as { error: object }).error, { _tag: "Timeout", phase: "authentication" })
  })

  it("fails with Refused if the server closes the connection without data, for example because the client's address is banned", () => {
    const { machine } = begin()
    machine.disconnected("closed by the server")
    const [event] = machine.takeEvents()
    assert.deepInclude((event as { error: object }).error, { _tag: "Refused", text: "" })
    assert.match((event as { error: Error }).error.message, /banned.*removeip/)
  })

  it("fails with ConnectionClosed if the server closes the connection after an empty reply", () => {
    const { auth, machine } = begin()
    machine.receive(stream([reply(auth.id, "")]), 1)
    machine.disconnected("closed by the server")
    assert.deepStrictEqual(summarize(machine.takeEvents()), ["broken ConnectionClosed"])
  })

  it("masks the password in the error if a server without RCON sends the password back", () => {
    for (const body of ["probe pw is no command of mine", "no command: probe pw", `${"x".repeat(27)}probe pw`]) {
      const { machine } = begin()
      machine.receive(bytes(body), 1)
      const events = JSON.stringify(machine.takeEvents())
      assert.include(events, "Malformed")
      assert.notInclude(events, Buffer.from("probe").toString("hex"))
    }
  })

  it("fails with Malformed if the server does not use RCON", () => {
    const { machine } = begin()
    machine.receive(bytes("SSH-2.0-OpenSSH_9.6\r\n"), 1)
    assert.deepStrictEqual(summarize(machine.takeEvents()), ["broken Malformed"])
  })
})

describe("a machine with the terminator `auto`", () => {
  it("sends several commands without waiting for replies if the server has returned the first mirror packet", () => {
    const machine = loggedIn()
    const a = submit(machine, "status", 20)
    assert.deepStrictEqual(plain(machine.takePackets()), [{ id: a, type: EXEC_COMMAND, body: "status" }])
    machine.receive(stream([reply(a, "part one ")]), 30)
    const [mirror] = machine.takePackets()
    assert.deepStrictEqual(plain([mirror!]), [{ id: mirror!.id, type: RESPONSE_VALUE, body: "" }])
    machine.receive(stream([reply(a, "part two"), reply(mirror!.id, ""), reply(mirror!.id, AFTER_MIRROR)]), 40)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a}: part one `, `${a}: part two`, `${a} end`])

    assert.strictEqual(machine.room, PIPELINE_WINDOW)
    const b = submit(machine, "users", 50)
    const c = submit(machine, "stats", 50)
    const sent = machine.takePackets()
    assert.deepStrictEqual(
      sent.map(({ id }) => id),
      [b, b + 1, c, c + 1]
    )
    machine.receive(stream([reply(b, "B"), reply(b + 1, ""), reply(b + 1, AFTER_MIRROR), reply(c, "C")]), 60)
    machine.receive(stream([reply(c + 1, ""), reply(c + 1, AFTER_MIRROR)]), 70)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${b}: B`, `${b} end`, `${c}: C`, `${c} end`])
    assert.strictEqual(machine.deadline, Number.POSITIVE_INFINITY)
  })

  it("sends one command at a time if the server replies to the mirror packet with text", () => {
    const machine = loggedIn()
    const a = submit(machine, "list", 20)
    machine.takePackets()
    machine.receive(stream([reply(a, "players")]), 30)
    const [mirror] = machine.takePackets()
    machine.receive(stream([reply(mirror!.id, "Unknown request 0")]), 40)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a}: players`, `${a} end`])
    assert.strictEqual(machine.room, 1)
    submit(machine, "list", 50)
    assert.strictEqual(machine.takePackets().length, 1)
    assert.strictEqual(machine.room, 0)
  })

  it("switches to short quiet periods if the server does not return the mirror packet", () => {
    const machine = loggedIn()
    const a = submit(machine, "list", 20)
    machine.receive(stream([reply(a, "players")]), 30)
    assert.strictEqual(machine.deadline, 30 + VERDICT_MS)
    machine.expire(30 + VERDICT_MS)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a}: players`, `${a} end`])
    machine.takePackets()

    const b = submit(machine, "list", 2000)
    assert.strictEqual(machine.takePackets().length, 1)
    machine.receive(stream([reply(b, "one ")]), 2010)
    machine.receive(stream([reply(b, "two")]), 2090)
    assert.isAtMost(machine.deadline, 2090 + 110)
    machine.expire(machine.deadline)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${b}: one `, `${b}: two`, `${b} end`])
  })

  it("sends mirror packets again if the first mirror packet comes back after the switch to quiet periods", () => {
    const machine = loggedIn()
    const a = submit(machine, "slow", 20)
    machine.receive(stream([reply(a, "x")]), 30)
    const mirror = machine.takePackets().at(-1)!
    machine.expire(machine.deadline)
    machine.receive(stream([reply(mirror.id, "")]), 2000)
    const b = submit(machine, "again", 3000)
    machine.takePackets()
    machine.receive(stream([reply(b, "y")]), 3010)
    assert.strictEqual(machine.takePackets().length, 1, "asks for a mirror again")
  })

  it("returns an empty reply after a quiet period if the mirror packet comes back, but no reply arrives", () => {
    const machine = loggedIn()
    const a = submit(machine, "sv_cheats 0", 20)
    machine.takePackets()
    machine.expire(machine.deadline)
    const [mirror] = machine.takePackets()
    machine.receive(stream([reply(mirror!.id, ""), reply(mirror!.id, AFTER_MIRROR)]), 1000)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [])
    machine.expire(machine.deadline)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a} end`])
  })
})

describe("a machine with the terminator `mirror`", () => {
  it("waits for a reply that arrives after the mirror packet", () => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "list", 20)
    const [, mirror] = machine.takePackets()
    machine.receive(stream([reply(mirror!.id, "")]), 30)
    machine.receive(stream([reply(a, "late")]), 60)
    assert.isAbove(machine.deadline, 60)
    machine.expire(machine.deadline)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a}: late`, `${a} end`])
  })

  it("ends a command with Timeout if the mirror packet does not arrive, even after a part of the reply", () => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "list", 20)
    machine.receive(stream([reply(a, "half")]), 30)
    machine.expire(30 + TIMEOUT_MS)
    const events = machine.takeEvents()
    assert.deepStrictEqual(summarize(events), [`${a}: half`, `${a} Timeout`])
    assert.deepInclude((events[1] as { error: object }).error, { phase: "reply", received: 1 })
  })
})

describe("a machine with the terminator `mirror-command`", () => {
  it("sends an empty command as the mirror packet", () => {
    const machine = loggedIn("mirror-command")
    const a = submit(machine, "list", 20)
    assert.deepStrictEqual(plain(machine.takePackets()), [
      { id: a, type: EXEC_COMMAND, body: "list" },
      { id: a + 1, type: EXEC_COMMAND, body: "" }
    ])
  })
})

describe("a machine with the terminator `quiet`", () => {
  it("waits more than twice as long after a part that is nearly full as after a short part", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "cvarlist", 20)
    machine.receive(stream([reply(a, "x".repeat(4000))]), 30)
    const afterFull = machine.deadline - 30
    machine.receive(stream([reply(a, "end")]), 40)
    assert.isAbove(afterFull, 2 * (machine.deadline - 40))
  })
})

describe("an incomplete packet", () => {
  it("does not end a reply, even if the rest of the packet arrives slowly", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "cvarlist", 0)
    const [first, second] = [stream([reply(a, "one ")]), stream([reply(a, "two")])]
    machine.receive(concatBytes([first, second.subarray(0, 7)]), 10)
    for (let now = 200; now <= 3000; now += 100) machine.expire(now)
    machine.receive(second.subarray(7), 3000)
    machine.expire(machine.deadline)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a}: one `, `${a}: two`, `${a} end`])
  })

  it("ends the command with Timeout if the rest of the packet never arrives", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "cvarlist", 0)
    machine.receive(stream([reply(a, "one"), reply(a, "two")]).subarray(0, 20), 10)
    for (let now = 200; now <= 10 + TIMEOUT_MS; now += 100) machine.expire(now)
    machine.expire(10 + TIMEOUT_MS)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a}: one`, `${a} Timeout`])
  })
})

describe("the state machine", () => {
  it("ends a command with ConnectionClosed if the connection is closed, even after parts of the reply", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "cvarlist", 20)
    machine.receive(stream([reply(a, "half of it")]), 30)
    machine.disconnected("reset")
    assert.deepStrictEqual(summarize(machine.takeEvents()), [
      `${a}: half of it`,
      `${a} ConnectionClosed`,
      "broken ConnectionClosed"
    ])
  })

  it("drops the late reply of an abandoned command", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "slow", 20)
    machine.cancel(a)
    const b = submit(machine, "fast", 30)
    machine.receive(stream([reply(a, "stale"), reply(b, "fresh")]), 40)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${b}: fresh`])
  })

  it("closes the connection after two consecutive timeouts", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "one", 0)
    machine.expire(10 + TIMEOUT_MS)
    const b = submit(machine, "two", 6000)
    machine.expire(6000 + TIMEOUT_MS)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a} Timeout`, `${b} Timeout`, "broken ConnectionClosed"])
  })

  it("does not close the connection if data arrives between two timeouts, because the timeouts are then not consecutive", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "one", 0)
    machine.expire(10 + TIMEOUT_MS)
    machine.receive(stream([reply(a, "late")]), 5500)
    const b = submit(machine, "two", 6000)
    machine.expire(6000 + TIMEOUT_MS)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a} Timeout`, `${b} Timeout`])
    const c = submit(machine, "three", 12_000)
    machine.expire(12_000 + TIMEOUT_MS)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${c} Timeout`, "broken ConnectionClosed"])
  })

  it("closes the connection if a reply is too long", () => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "flood", 20)
    const part = stream([reply(a, "x".repeat(1_000_000))])
    const b = submit(machine, "status", 25)
    for (let i = 0; i < 9; i++) machine.receive(part, 30 + i)
    // If the connection stayed open, the machine would read the endless reply until the session ends.
    assert.deepStrictEqual(summarize(machine.takeEvents()).slice(-3), [
      `${a} LimitExceeded`,
      `${b} ConnectionClosed`,
      "broken ConnectionClosed"
    ])
  })

  const floods: ReadonlyArray<readonly [string, (id: number) => Uint8Array]> = [
    ["parts of the reply", (id) => stream([reply(id, "more ")])],
    ["replies with another id", () => stream([reply(-7, "chatter")])],
    // The packet is never complete, so the machine cannot find out whether the packet belongs to the command.
    ["the bytes of one packet", () => new Uint8Array(1).fill(1)]
  ]

  it.each(floods)("ends a command at its total time limit during a flood of %s", (_, piece) => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "cvarlist", 1000)
    const segment = piece(a)
    machine.receive(stream([reply(a, "first ")]), 1001)
    if (segment.length === 1) machine.receive(Uint8Array.of(0xff, 0xff, 0, 0), 1001)
    let now = 1001
    // No timer runs, as if the event loop handled only this socket.
    for (; machine.deadline !== Number.POSITIVE_INFINITY; now += 300) machine.receive(segment, now)
    assert.isAtMost(now - 300, 1000 + LIMITS.totalTimeoutMs + 300)
    const events = machine.takeEvents()
    assert.deepStrictEqual(summarize(events).slice(-2), [`${a} Timeout`, "broken ConnectionClosed"])
    assert.match(JSON.stringify(events), /total time limit/)
  })

  it("times out during the login if other packets arrive, but no login result", () => {
    const { machine } = begin()
    for (let now = 0; now < TIMEOUT_MS; now += 10) machine.receive(stream([reply(77, "not yet")]), now)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [])
    machine.receive(stream([reply(77, "not yet")]), TIMEOUT_MS)
    assert.deepStrictEqual(summarize(machine.takeEvents()), ["broken Timeout"])
  })

  it("returns a reply that is complete exactly at the total time limit", () => {
    const machine = loggedIn("mirror")
    const a = submit(machine, "list", 0)
    const [, mirror] = machine.takePackets()
    machine.receive(stream([reply(a, "all"), reply(mirror!.id, "")]), LIMITS.totalTimeoutMs)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a}: all`, `${a} end`])
  })

  it("ignores broadcasts and packets with an unknown id", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "say hi", 20)
    machine.receive(stream([{ id: -1, type: 4, body: bytes("chat") }, reply(0, "console"), reply(a, "mine")]), 30)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a}: mine`])
  })

  it("ends a command at its timeout, even if the server continuously sends text that is not the reply", () => {
    const machine = loggedIn("quiet")
    const a = submit(machine, "hang", 0)
    for (let now = 1000; now < TIMEOUT_MS; now += 1000) machine.receive(stream([reply(-1, "chatter")]), now)
    machine.expire(TIMEOUT_MS)
    assert.deepStrictEqual(summarize(machine.takeEvents()), [`${a} Timeout`])
  })
})

describe("several errors of one connection", () => {
  it("are reported as one event", () => {
    const { machine } = begin()
    machine.receive(stream([verdict(-1)]), 1)
    assert.deepStrictEqual(
      machine.takeEvents().map(({ kind }) => kind),
      ["broken"]
    )
    const other = begin().machine
    other.receive(Uint8Array.of(...stream([verdict(-1)]), ...new Uint8Array(8)), 1)
    other.disconnected("gone")
    other.receive(new Uint8Array(8), 2)
    assert.deepStrictEqual(
      other.takeEvents().map(({ kind }) => kind),
      ["broken"]
    )
  })
})
