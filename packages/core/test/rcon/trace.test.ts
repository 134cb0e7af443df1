import { assert, describe, it } from "@effect/vitest"
import { encode } from "@sourcewire/protocol"
import type { Message } from "@sourcewire/protocol"
import {
  AUTH,
  encodePacket,
  EXEC_COMMAND,
  RESPONSE_VALUE,
  SourceRconFramer,
  splitDatagram
} from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import type { RconTraceEvent } from "../../src/rcon/trace.ts"
import { ConnectionTrace, DatagramTrace } from "../../src/rcon/trace.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const latin1 = (data: Uint8Array) => String.fromCharCode(...data)
const datagram = (message: Message) => Result.getOrThrow(encode(message))

const tracing = (password: string) => {
  const events: Array<RconTraceEvent> = []
  const options = { trace: (event: RconTraceEvent) => void events.push(event), password: bytes(password), now: () => 7 }
  return { events, options, shown: () => events.map((event) => latin1(event.bytes)) }
}

describe("ConnectionTrace", () => {
  const reply = (id: number, text: string) => encodePacket({ id, type: RESPONSE_VALUE, body: bytes(text) })
  const bodies = (events: ReadonlyArray<RconTraceEvent>) =>
    events.flatMap((event) => new SourceRconFramer().push(event.bytes)).map(({ body }) => latin1(body))

  it("shows complete packets without the password, wherever TCP divides the packets", () => {
    const stream = Uint8Array.from([...reply(2, "it is secret!\n"), ...reply(2, "bye\n")])
    for (let cut = 0; cut <= stream.length; cut++) {
      const { events, options } = tracing("secret")
      const trace = new ConnectionTrace(options)
      trace.received(stream.subarray(0, cut))
      trace.received(stream.subarray(cut))
      assert.deepStrictEqual(bodies(events), ["it is ********!\n", "bye\n"], `cut at ${cut}`)
    }
  })

  it("shows no part of a password that spans several packets", () => {
    const { events, options } = tracing("secret")
    const trace = new ConnectionTrace(options)
    for (const part of ["it is se", "cr", "et!"]) trace.received(reply(2, part))
    assert.deepStrictEqual(bodies(events), ["it is ********", "********", "********!"])
  })

  it("masks the password in the login packet and in commands, but not an id or a type with the same value", () => {
    const { events, options } = tracing("\u0002")
    const trace = new ConnectionTrace(options)
    trace.sent({ id: 1, type: AUTH, body: bytes("\u0002") })
    trace.sent({ id: 2, type: EXEC_COMMAND, body: bytes("echo \u0002") })
    trace.received(encodePacket({ id: 2, type: EXEC_COMMAND, body: bytes("") }))
    const packets = events.flatMap((event) => new SourceRconFramer().push(event.bytes))
    assert.deepStrictEqual(
      packets.map(({ body, id, type }) => [id, type, latin1(body)]),
      [
        [1, AUTH, "********"],
        [2, EXEC_COMMAND, "echo ********"],
        [2, EXEC_COMMAND, ""]
      ]
    )
  })

  it("shows an incomplete packet once when the stream ends, and shows only the first segment of a stream that is not RCON", () => {
    const { options, shown } = tracing("secret")
    const cut = new ConnectionTrace(options)
    cut.received(reply(2, "the secret").subarray(0, 17))
    assert.deepStrictEqual(shown(), [])
    cut.ended()
    cut.ended()
    assert.lengthOf(shown(), 1)
    assert.match(shown()[0]!, /the \*{8}$/)
    const other = tracing("secret")
    const trace = new ConnectionTrace(other.options)
    trace.received(bytes("HTTP/1.1 400 secret"))
    assert.lengthOf(other.shown(), 1)
    trace.received(bytes("more"))
    trace.ended()
    assert.deepStrictEqual(other.shown(), ["HTTP/1.1 400 ********"])
  })
})

describe("DatagramTrace", () => {
  it("masks the password in the password field, in commands and in replies", () => {
    const { options, shown } = tracing("rcon")
    const trace = new DatagramTrace(options)
    trace.sent(datagram({ _tag: "RconChallengeRequest" }))
    trace.sent(datagram({ _tag: "RconRequest", challenge: 7, password: "rcon", command: "echo my rcon" }))
    trace.received(datagram({ _tag: "RconChallengeReply", challenge: 7 }))
    trace.received(datagram({ _tag: "PrintReply", text: "my rcon\n" }))
    const [challengeRequest, sent, challenge, reply] = shown()
    assert.match(challengeRequest!, /^\xff{4}challenge rcon/)
    assert.match(sent!, /^\xff{4}rcon 7 "\*{8}" echo my \*{8}/)
    assert.match(challenge!, /^\xff{4}challenge rcon 7\n/)
    assert.match(reply!, /^\xff{4}lmy \*{8}\n/)
  })

  it("masks the password `print` in the text of a reply, but does not mask the reply type `print`", () => {
    const { options, shown } = tracing("print")
    new DatagramTrace(options).received(bytes("\u007f\u007f\u007f\u007fprint\nno print\n"))
    assert.deepStrictEqual(shown(), ["\u007f\u007f\u007f\u007fprint\nno ********\n"])
  })

  it("shows no part of a password that spans two fragments", () => {
    const whole = Uint8Array.from([
      255,
      255,
      255,
      255,
      ...bytes(`l${"x".repeat(40)}correct horse${"y".repeat(40)}\n\0\0`)
    ])
    for (let maxBytes = 40; maxBytes < 70; maxBytes++) {
      const { options, shown } = tracing("correct horse")
      const trace = new DatagramTrace(options)
      for (const fragment of splitDatagram(whole, { layout: "goldsource", id: 1, maxBytes })) trace.received(fragment)
      const text = shown()
        .map((fragment) => fragment.slice(9))
        .join("")
      assert.match(text, /^\xff{4}lx{40}\*{8,24}y{40}\n\0\0$/, `fragments of ${maxBytes} bytes`)
    }
  })
})
