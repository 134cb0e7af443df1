import { assert, describe, it } from "@effect/vitest"
import type { Commands, Server } from "./oneCommand.ts"
import {
  AUTH_LINE,
  HEADER,
  datagram,
  connectionless,
  fromLatin1,
  readCommand,
  makeMachine,
  named,
  playing,
  playingWithEcho,
  recorded,
  rehlds,
  readReplies,
  run
} from "./oneCommand.ts"

describe("an exchange with ReHLDS, as recorded", () => {
  const answered: ReadonlyArray<readonly [string, string | RegExp]> = [
    ["rcon status", /^hostname: {2}ReHLDS probe server\nversion :/],
    ["rcon status, final NUL", /^hostname: {2}ReHLDS probe server\n/],
    ["rcon status, final newline", /^hostname: {2}ReHLDS probe server\n/],
    ["rcon echo", "hello \n"],
    ["rcon echo UTF-8", "Zoë ★ \n"],
    ["rcon unknown command", ""],
    ["rcon cvar value", '"sv_gravity" is "800"\n'],
    ["rcon command without output", ""],
    ["rcon right password, no command", ""],
    ["rcon right password, empty command", ""],
    ["rcon long output: cmdlist", /^Command List\n-+\n[^]*\n$/],
    ["rcon two commands", "one; echo two \n"],
    ["rcon very long command (500 bytes)", /^z+ \n$/],
    ["rcon challenge of another socket of the same address", "same address , other port \n"]
  ]

  it.each(answered)("returns the recorded output: %s", (name, expected) => {
    const [, , , command] = AUTH_LINE.exec(readCommand(named(name)))!.map((part) => part)
    const raw = new TextDecoder().decode(fromLatin1(command ?? ""))
    const { error, text } = run(makeMachine(), playing(rehlds), raw)
    assert.isUndefined(error)
    if (typeof expected === "string") assert.strictEqual(text, expected)
    else assert.match(text!, expected)
  })

  it("joins the datagrams and fragments of the reply to `cvarlist` into one text", () => {
    const { sent, text } = run(makeMachine(), playing(rehlds), "cvarlist")
    const cvars = text!.split("\n").filter((line) => / : /.test(line))
    assert.match(text!, /^CVar List\n-+\n/)
    assert.match(text!, /455 Total CVars/i)
    assert.lengthOf(cvars, 455)
    assert.notInclude(text!, "\0")
    assert.lengthOf(sent, 2)
  })

  it("returns the same text even if fragments arrive in the wrong order, and fails with Timeout if a fragment is missing", () => {
    const exchange = named("rcon long output: cvarlist")
    const replies = readReplies(exchange)
    const others = rehlds.filter((one) => one !== exchange)
    const server =
      (sent: ReadonlyArray<readonly [Uint8Array, number]>): Server =>
      (request) =>
        request.endsWith("cvarlist") ? sent : playing(others)(request)
    const swapped = replies.map(([bytes], i) => [bytes, [5, 6, 8, 7][i] ?? 5 + i] as const)
    const whole = run(makeMachine(), server(replies), "cvarlist").text
    assert.strictEqual(run(makeMachine(), server(swapped), "cvarlist").text, whole)
    const { error } = run(makeMachine(), server(replies.filter((_, i) => i !== 3)), "cvarlist")
    assert.deepInclude(error, { _tag: "Timeout", phase: "split" })
  })

  it("times out if the command is too long for the server, and the error names this reason", () => {
    const [, , , command] = AUTH_LINE.exec(readCommand(named("rcon too long command (700 bytes)")))!
    const { error } = run(makeMachine(), playing(rehlds), command!)
    assert.strictEqual(error!._tag, "Timeout")
    assert.match(error!.message, /500 bytes/)
  })

  it("fails with AuthenticationFailed if the password is wrong", () => {
    const { error } = run(makeMachine("goldsource", "wrong"), playing(rehlds), "status")
    assert.strictEqual(error!._tag, "AuthenticationFailed")
    assert.notInclude(error!.message, "wrong")
  })

  it("fails with AuthenticationFailed if the server has no password", () => {
    const refusals = rehlds.filter(({ name }) => name.startsWith("rcon, server has no password set (2)"))
    const challenge = rehlds.filter(({ name }) => name === '"challenge rcon" newline')
    const { error } = run(makeMachine(), playing([...refusals, ...challenge]), "status")
    assert.strictEqual(error!._tag, "AuthenticationFailed")
    assert.match(error!.message, /No password set for this server/)
  })

  it.each(["rcon wrong challenge", "rcon no challenge"])(
    "requests a new challenge and sends the command again after the recorded rejection: %s",
    (name) => {
      const stale = datagram({ _tag: "RconChallengeReply", challenge: 12345 })
      const refusal = readReplies(named(name))
      let challengeRequests = 0
      const { sent, text } = run(
        makeMachine(),
        (request) => {
          if (request === "challenge rcon" && challengeRequests++ === 0) return [[stale, 5]]
          return request.startsWith("rcon 12345") ? refusal : playing(rehlds)(request)
        },
        "echo hello"
      )
      assert.strictEqual(text, "hello \n")
      assert.deepStrictEqual(sent, [
        "challenge rcon",
        'rcon 12345 "probe pw" echo hello',
        "challenge rcon",
        'rcon 352753098 "probe pw" echo hello'
      ])
    }
  )
})

describe("an exchange with HLTV, as recorded", () => {
  const hltv = recorded("hltv")

  it("returns an empty text if the reply contains only NULs", () => {
    assert.strictEqual(run(makeMachine(), playing(hltv), "status").text, "")
  })

  const logIn = (machine: Commands, server: Server) => run(machine, server, "", 0, true)

  it("accepts a reply without text as a successful login, and times out if the password is wrong", () => {
    const zeros = readReplies(hltv.find(({ name }) => name === "rcon status")!)
    const server: Server = (request) => (/^rcon 327160704 "probe pw" \S/.test(request) ? zeros : playing(hltv)(request))
    const machine = makeMachine()
    assert.strictEqual(logIn(machine, server).text, "")
    assert.strictEqual(run(machine, server, "status", 1000).text, "")
    const { error } = logIn(makeMachine("goldsource", "wrong"), server)
    assert.deepInclude(error, { _tag: "Timeout", phase: "authentication" })
    assert.match(error!.message, /HLTV/)
  })

  /**
   * Creates an HLTV server that sends the stray byte 0xFF before each text. The server replies only if the password is correct and the
   * command has output.
   */
  const makeHltv =
    (replies: Readonly<Record<string, readonly [text: string, delayMs: number]>>): Server =>
    (request) => {
      if (request === "challenge rcon") return [[fromLatin1(`${HEADER}challenge rcon 7\n\0`), 5]]
      const [, , password, command] = AUTH_LINE.exec(request) ?? []
      if (password !== "probe pw" || command === undefined) return []
      const [text, delayMs] = command.startsWith("echo ") ? [`${command.slice(5)}\n`, 5] : (replies[command] ?? ["", 0])
      const datagram = fromLatin1(`${HEADER}l\xff${text}\0`)
      const padded = new Uint8Array(datagram.length < 16 ? 1400 : datagram.length)
      padded.set(datagram)
      return text === "" ? [] : [[padded, delayMs]]
    }
  const server = makeHltv({
    status: ["--- HLTV Status ---\nOnline 1:02\n", 5],
    name: ["x\n", 5]
  })
  const logInToHltv = () => {
    const machine = makeMachine()
    assert.strictEqual(logIn(machine, server).text, "")
    return machine
  }

  it.each([
    ["status", "--- HLTV Status ---\nOnline 1:02\n"],
    ["name", "x\n"]
  ])("removes the stray byte at the beginning of the reply to %s", (command, text) => {
    assert.deepInclude(run(logInToHltv(), server, command, 1000), { text, mayTrail: false })
  })

  it("returns an empty text if the server replies to the echo command, but not to the user's command", () => {
    const { sent, text, tookMs } = run(logInToHltv(), server, "delay 30", 1000)
    assert.strictEqual(text, "")
    assert.deepStrictEqual(sent, ["challenge rcon", 'rcon 7 "probe pw" delay 30', 'rcon 7 "probe pw" echo sourcewire'])
    assert.isBelow(tookMs, 500)
  })

  it("sends the echo command if the reply is slow, but returns the reply without the text of the echo command", () => {
    const busy: Server = (request) =>
      server(request).map(([reply, delay]) => [reply, request === "challenge rcon" ? delay : delay + 300] as const)
    const { mayTrail, sent, text, tookMs } = run(logInToHltv(), busy, "status", 1000)
    assert.deepStrictEqual({ mayTrail, text }, { mayTrail: true, text: "--- HLTV Status ---\nOnline 1:02\n" })
    assert.include(sent.at(-1), "echo sourcewire")
    // The reply to the echo command ends the reply to `status` without a quiet period.
    assert.isBelow(tookMs, 500)
  })

  it("times out if neither the command nor the echo command gets a reply", () => {
    const machine = logInToHltv()
    const { error, sent } = run(machine, (request) => (request.startsWith("rcon") ? [] : server(request)), "x", 1000)
    assert.deepInclude(error, { _tag: "Timeout", phase: "challenge" })
    assert.strictEqual(sent.filter((line) => line.endsWith(" x")).length, 1)
    assert.isAbove(sent.filter((line) => line.includes("echo")).length, 1)
  })

  it("requests a challenge for each command, because the previous challenge may expire soon", () => {
    const machine = logInToHltv()
    assert.strictEqual(run(machine, server, "status", 1000).sent[0], "challenge rcon")
    assert.strictEqual(run(machine, server, "status", 2000).sent[0], "challenge rcon")
  })

  it("in contrast, an exchange with a slow server that is not HLTV sends no echo command", () => {
    const machine = makeMachine()
    assert.strictEqual(logIn(machine, playingWithEcho).text, "")
    const slow: Server = (request) => playingWithEcho(request).map(([reply, delay]) => [reply, delay + 3000] as const)
    const { sent, text } = run(machine, slow, "status", 1000)
    assert.match(text!, /^hostname:/)
    assert.deepStrictEqual(sent, ['rcon 352753098 "probe pw" status'])
  })
})

describe("an exchange with Xash3D, as recorded", () => {
  const xash = recorded("xash3d")

  it.each([
    ["status", /^map: probe_room\n# score ping dev[^]*\n\n$/],
    ["nosuchcommand", /^\^3Warning: \^7Unknown command "nosuchcommand"\n$/],
    ["echo hello world", /^hello world \n$/],
    ["", /^$/]
  ])("returns the recorded output of the command %j", (command, expected) => {
    assert.match(run(makeMachine("quake"), playing(xash), command).text!, expected)
  })

  it.each(["^1Error: ^7Bad rcon_password.\n", "Bad rcon_password.\n", "Bad rconpassword.\n", "No rconpassword set.\n"])(
    "treats the text %j as a rejection during the login, but as part of a reply after the login",
    (rejection) => {
      const { error } = run(makeMachine("quake"), () => [[connectionless(`print\n${rejection}`), 5]], "", 0, true)
      assert.deepInclude(error, { _tag: "AuthenticationFailed", text: rejection.trim() })
      const later = run(
        makeMachine("quake"),
        () => ["x\n", rejection].map((text, i) => [connectionless(`print\n${text}`), i]),
        "x"
      )
      assert.strictEqual(later.text, `x\n${rejection}`)
    }
  )

  it("times out if the password is wrong or the dialect is GoldSource", () => {
    assert.deepInclude(run(makeMachine("quake", "wrong"), playing(xash), "status").error!, { _tag: "Timeout" })
    assert.deepInclude(run(makeMachine("goldsource"), playing(xash), "status").error!, {
      _tag: "Timeout",
      phase: "request"
    })
  })
})

describe("an exchange with DarkPlaces", () => {
  const hello: Server = () => [[connectionless("nhello \n"), 5]]

  it("accepts replies of the type `n`", () => {
    assert.strictEqual(run(makeMachine("quake", "secret"), hello, "echo hello").text, "hello \n")
  })

  it("sends a password of one word without quotes, because DarkPlaces reads quotes as part of the password", () => {
    assert.deepStrictEqual(run(makeMachine("quake", "secret"), hello, "echo hello").sent, ["rcon secret echo hello"])
    const quoted = run(makeMachine("quake", "open sesame"), hello, "echo hello")
    assert.deepStrictEqual(quoted.sent, ['rcon "open sesame" echo hello'])
    // In the dialect GoldSource, Sourcewire encloses every password in quotes.
    const { sent } = run(makeMachine("goldsource", "secret"), playing(rehlds), "echo hello")
    assert.match(sent.at(-1)!, /^rcon \d+ "secret" echo hello/)
  })
})
