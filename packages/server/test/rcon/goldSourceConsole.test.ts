import { assert, describe, it } from "@effect/vitest"
import { decode, encode } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import type { UdpDialect } from "../../src/rcon/goldSourceConsole.ts"
import { GoldSourceConsole } from "../../src/rcon/goldSourceConsole.ts"
import { LoginAttempts } from "../../src/rcon/loginAttempts.ts"

const HOME = "192.0.2.1"
const datagram = (message: Message) => Result.getOrThrow(encode(message))
const read = (bytes: Uint8Array) => Result.getOrThrow(decode(bytes))

const makeConsole = (options?: { dialect?: UdpDialect; password?: string; maxFailures?: number }) => {
  const attempts = new LoginAttempts({ maxFailures: options?.maxFailures ?? 5 })
  const console = new GoldSourceConsole({
    dialect: options?.dialect ?? "goldsource",
    password: new TextEncoder().encode(options?.password ?? "probe pw"),
    attempts,
    encoding: "auto"
  })
  const ask = (message: Message, now = 0, address = HOME) => console.receive(datagram(message), address, 4000, now)
  const replies = (message: Message, now = 0, address = HOME) => {
    const answer = ask(message, now, address)
    return answer.kind === "send" ? answer.datagrams.map(read) : assert.fail(answer.kind)
  }
  const challengeFor = (address = HOME, now = 0) => {
    const [reply] = replies({ _tag: "RconChallengeRequest" }, now, address)
    return reply?._tag === "RconChallengeReply" ? reply.challenge : assert.fail("no challenge")
  }
  return { ask, attempts, challengeFor, console, replies }
}

describe("a GoldSource console", () => {
  it("accepts a command with a valid challenge and the correct password", () => {
    const { ask, challengeFor } = makeConsole()
    const challenge = challengeFor()
    assert.isAtLeast(challenge, 1)
    assert.deepStrictEqual(ask({ _tag: "RconRequest", challenge, password: "probe pw", command: "echo Zoë ★" }), {
      kind: "command",
      command: "echo Zoë ★"
    })
  })

  it.each([0, 1, 12345])("rejects the challenge %i, and a challenge that belongs to another address", (given) => {
    const { challengeFor, replies } = makeConsole()
    for (const challenge of [given, challengeFor()]) {
      const [reply] = replies(
        { _tag: "RconRequest", challenge, password: "probe pw", command: "a long enough command" },
        0,
        "192.0.2.2"
      )
      assert.deepInclude(reply, { _tag: "ConnectionRejected", text: "No challenge for your address.\n" })
    }
  })

  it("replies to a wrong password as HLDS does, even if the server has no password", () => {
    for (const [password, expected] of [
      ["probe pw", "Bad rcon_password.\n"],
      ["", "Bad rcon_password.\nNo password set for this server.\n"]
    ] as const) {
      const { challengeFor, replies } = makeConsole({ password })
      const request = { _tag: "RconRequest", challenge: challengeFor(), password: "x", command: "status" } as const
      assert.deepInclude(replies(request)[0], { _tag: "PrintReply", text: expected })
    }
  })

  it("bans an address after six wrong passwords, and then replies to the requests of this address with the text about the ban", () => {
    const { attempts, challengeFor, replies } = makeConsole()
    const request = { _tag: "RconRequest", challenge: challengeFor(), password: "x", command: "status" } as const
    for (let i = 0; i < 6; i++) assert.deepInclude(replies(request, i)[0], { text: "Bad rcon_password.\n" })
    const banned = { _tag: "PrintReply", text: "You have been banned from this server.\n" } as const
    assert.deepInclude(replies({ _tag: "PingRequest" }, 10)[0], banned)
    assert.deepInclude(replies({ ...request, password: "probe pw" }, 11)[0], banned)
    assert.lengthOf(replies({ _tag: "PingRequest" }, 12, HOME), 1)
    assert.strictEqual(makeConsole().ask({ _tag: "PingRequest" }).kind, "foreign")
    attempts.unban(HOME)
    assert.isAbove(challengeFor(), 0)
  })

  it("does not ban an address if the wrong passwords arrive over a long time", () => {
    const { challengeFor, replies } = makeConsole()
    const request = { _tag: "RconRequest", challenge: challengeFor(), password: "x", command: "status" } as const
    for (let i = 0; i < 20; i++) {
      assert.deepInclude(replies(request, i * 10_000)[0], { text: "Bad rcon_password.\n" })
    }
  })

  it("passes queries on to the game server", () => {
    assert.strictEqual(makeConsole().ask({ _tag: "InfoRequest" }).kind, "foreign")
  })
})

describe("an address whose requests can be spoofed", () => {
  it("gets no more bytes than it sent, if its requests contain no valid challenge", () => {
    const { console } = makeConsole()
    for (const command of ["", "x", "status", "x".repeat(100)]) {
      for (const challenge of [undefined, 1, 4_294_967_295]) {
        const request = datagram({
          _tag: "RconRequest",
          ...(challenge === undefined ? {} : { challenge }),
          password: "p",
          command
        })
        const answer = console.receive(request, HOME, 4000, 0)
        const bytes = answer.kind === "send" ? answer.datagrams.reduce((sum, one) => sum + one.length, 0) : 0
        assert.isAtMost(bytes, request.length)
      }
    }
  })

  it("is not banned for wrong passwords in requests that do not contain the challenge of this address", () => {
    const { ask, attempts, challengeFor } = makeConsole({ maxFailures: 0 })
    const others = challengeFor("192.0.2.2")
    for (const challenge of [undefined, 0, 12_345, others])
      ask({ _tag: "RconRequest", ...(challenge === undefined ? {} : { challenge }), password: "x", command: "" })
    assert.isFalse(attempts.isBanned(HOME, 0))
    ask({ _tag: "RconRequest", challenge: challengeFor(), password: "x", command: "" })
    assert.isTrue(attempts.isBanned(HOME, 0))
  })

  it("shares one limit with all other addresses for challenges that are larger than their requests", () => {
    const { replies } = makeConsole()
    const count = (second: number): number => {
      let answered = 0
      for (let i = 0; i < 1000; i++) {
        answered += replies({ _tag: "RconChallengeRequest" }, second * 1000 + i, `192.0.2.${i % 256}`).length
      }
      return answered
    }
    // Twenty challenges at once, and then ten per second.
    assert.deepStrictEqual([0, 1, 2].map(count), [29, 10, 10])
  })

  it("gets a challenge in reply to every padded request", () => {
    const { console } = makeConsole()
    const padded = new Uint8Array(64)
    padded.set(datagram({ _tag: "RconChallengeRequest" }))
    for (let i = 0; i < 1000; i++) {
      const answer = console.receive(padded, HOME, 4000, 0)
      assert.lengthOf(answer.kind === "send" ? answer.datagrams : [], 1)
    }
  })

  it("gets a limited number of messages about its ban", () => {
    const { challengeFor, replies } = makeConsole({ maxFailures: 0 })
    replies({ _tag: "RconRequest", challenge: challengeFor(), password: "x", command: "" })
    const count = (second: number): number => {
      let messages = 0
      for (let i = 0; i < 1000; i++) messages += replies({ _tag: "PingRequest" }, second * 1000 + i).length
      return messages
    }
    // Five messages at once, and then five per second.
    assert.deepStrictEqual([0, 1, 2].map(count), [9, 5, 5])
  })
})

describe("commands that are too long for HLDS", () => {
  it("are ignored, but count as a failed login if the password is wrong", () => {
    const { ask, attempts, challengeFor } = makeConsole({ maxFailures: 0 })
    const challenge = challengeFor()
    const request = (bytes: number, password = "probe pw") => {
      const head = datagram({ _tag: "RconRequest", challenge, password, command: "" }).length
      return { _tag: "RconRequest", challenge, password, command: "x".repeat(bytes - head) } as const
    }
    assert.strictEqual(ask(request(515)).kind, "command")
    assert.deepStrictEqual(ask(request(516)), { kind: "send", datagrams: [] })
    ask(request(516, "wrong"))
    assert.isTrue(attempts.isBanned(HOME, 0))
  })
})

describe("an HLTV console", () => {
  const hltv = () => makeConsole({ dialect: "hltv" })
  const request = (challenge: number, command: string, password = "probe pw") =>
    ({ _tag: "RconRequest", challenge, password, command }) as const

  it("accepts a command with a valid challenge and the correct password", () => {
    const { ask, challengeFor } = hltv()
    assert.deepStrictEqual(ask(request(challengeFor(), "echo hello")), { kind: "command", command: "echo hello" })
  })

  it("ignores requests with too few words, with a wrong challenge or with a wrong password, and all requests of banned addresses", () => {
    const { attempts, challengeFor, replies } = hltv()
    const challenge = challengeFor()
    for (const queried of [
      request(challenge, ""),
      request(challenge, " "),
      request(1, "status"),
      { _tag: "RconRequest", password: "probe pw", command: "status" } as const
    ]) {
      assert.deepStrictEqual(replies(queried), [])
    }
    for (let i = 0; i < 6; i++) assert.deepStrictEqual(replies(request(challenge, "status", "wrong")), [])
    assert.isTrue(attempts.isBanned(HOME, 0))
    assert.deepStrictEqual(replies(request(challenge, "status")), [])
    assert.deepStrictEqual(replies({ _tag: "PingRequest" }), [])
  })

  it("accepts a challenge for at least 20 s and at most 40 s", () => {
    const { ask, challengeFor, replies } = hltv()
    for (const sentAt of [0, 19_999]) {
      const challenge = challengeFor(HOME, sentAt)
      assert.strictEqual(ask(request(challenge, "status"), sentAt + 20_000).kind, "command")
      assert.deepStrictEqual(replies(request(challenge, "status"), sentAt + 40_000), [])
    }
  })
})

describe("a console in Quake style", () => {
  it("accepts a command with the correct password and without a challenge; ignores wrong passwords, commands with a challenge, and requests for a challenge", () => {
    const { ask, replies } = makeConsole({ dialect: "quake" })
    assert.deepStrictEqual(ask({ _tag: "RconRequest", password: "probe pw", command: "status" }), {
      kind: "command",
      command: "status"
    })
    for (const request of [
      { _tag: "RconRequest", password: "wrong", command: "status" },
      { _tag: "RconRequest", challenge: 5, password: "probe pw", command: "status" },
      { _tag: "RconChallengeRequest" }
    ] as const) {
      assert.deepStrictEqual(replies(request), [])
    }
  })
})

describe("replies of a console", () => {
  const latin1 = (bytes: Uint8Array) => String.fromCharCode(...bytes)

  it("are divided at line ends, and each datagram ends with two NULs", () => {
    const text = Array.from({ length: 200 }, (_, i) => `line ${i} ${"y".repeat(40)}\n`).join("")
    const datagrams = makeConsole().console.reply(text)
    assert.isAbove(datagrams.length, 5)
    for (const bytes of datagrams) {
      assert.isAtMost(bytes.length, 1400)
      assert.match(latin1(bytes), /^\xff\xff\xff\xffl[^]*\n\0\0$/)
    }
    assert.strictEqual(datagrams.map((bytes) => latin1(bytes).slice(5, -2)).join(""), text)
  })

  it("consist of one empty packet if the text is empty", () => {
    assert.deepStrictEqual(makeConsole().console.reply("").map(latin1), ["\xff\xff\xff\xffl\0\0"])
  })

  it("are sent in fragments if a line is longer than a datagram", () => {
    const datagrams = makeConsole().console.reply(`${"z".repeat(2000)}\nshort\n`)
    assert.deepStrictEqual(
      datagrams.map((bytes) => latin1(bytes.subarray(0, 1))),
      ["\xfe", "\xfe", "\xff"]
    )
  })

  it("in the dialect of HLTV, consist of one datagram with an extra byte before the text; an empty text is not sent", () => {
    const { console } = makeConsole({ dialect: "hltv" })
    assert.deepStrictEqual(console.reply("a longer text\n").map(latin1), ["\xff\xff\xff\xffl\xffa longer text\n\0"])
    assert.deepStrictEqual(console.reply("short\n").map(latin1), [
      `\xff\xff\xff\xffl\xffshort\n${"\0".repeat(1400 - 12)}`
    ])
    assert.deepStrictEqual(console.reply(""), [])
  })

  it("in the dialect of HLTV, omit lines that do not fit into HLTV's buffer", () => {
    const { console } = makeConsole({ dialect: "hltv" })
    const [datagram, ...more] = console.reply(`${"x".repeat(999)}\n${"y".repeat(30)}\nlast\n`)
    assert.deepStrictEqual(more, [])
    assert.strictEqual(latin1(datagram!).slice(6), `${"x".repeat(999)}\nlast\n\0`)
  })

  it("in the dialect of Quake, consist of one packet per line and an empty packet at the end", () => {
    const { console } = makeConsole({ dialect: "quake" })
    assert.deepStrictEqual(console.reply("a\nb").map(latin1), [
      "\xff\xff\xff\xffprint\na\n",
      "\xff\xff\xff\xffprint\nb",
      "\xff\xff\xff\xffprint\n"
    ])
  })
})
