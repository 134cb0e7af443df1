import { fromHex } from "@sourcewire/protocol"
import { RconRequest, SecretLogLine, splitDatagram, encodeAs } from "@sourcewire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { Surface } from "../../src/output/output.ts"
import { plain } from "../../src/output/text.ts"
import { tracer } from "../../src/trace/tracer.ts"

const remote = { address: "127.0.0.1", port: 27015 }

/** Returns the tracer's output for a sequence of received datagrams. Placeholders replace the times in this output. */
const traced = (...datagrams: ReadonlyArray<Uint8Array>): string => {
  let printed = ""
  const surface: Surface = {
    columns: 80,
    isTerminal: false,
    palette: plain,
    write: () => Effect.void,
    line: () => Effect.void,
    put: ({ length }) => length,
    writeNow: (text) => void (printed += text)
  }
  const trace = tracer(surface)
  for (const datagram of datagrams) trace("received", datagram, remote, 0)
  return printed.replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, "TIME")
}

const password = "correct horse"

describe("tracer", () => {
  it("shows a message field by field", () => {
    expect(traced(fromHex("ffffffff414ba1d522")!)).toMatchSnapshot()
  })

  it("shows fragments, then the joined reply", () => {
    const whole = fromHex(`ffffffff450100${Buffer.from(`sv_motd\0${"x".repeat(40)}\0`).toString("hex")}`)!
    expect(traced(...splitDatagram(whole, { layout: "goldsource", id: 7, maxBytes: 40 }))).toMatchSnapshot()
  })

  it("masks passwords in fields and in bytes, even if the message is truncated", () => {
    const request = Result.getOrThrow(
      encodeAs(RconRequest, { _tag: "RconRequest", challenge: 1, password, command: "status" })
    )
    const log = Result.getOrThrow(
      encodeAs(SecretLogLine, { _tag: "SecretLogLine", secret: 12345, line: "L x" } as SecretLogLine)
    )
    for (let length = 4; length <= request.length; length++) {
      const text = traced(request.subarray(0, length))
      expect(text).not.toContain("horse")
      expect(text).not.toMatch(/63 6f 72 72|63 6f 72/)
    }
    expect(traced(request)).toContain("status")
    expect(traced(log)).not.toMatch(/12345|31 32 33/)
  })

  it("shows malformed bytes", () => {
    expect(traced(fromHex("ffffffff4911616263")!)).toMatchSnapshot()
  })

  it("prints no escape sequences", () => {
    expect(traced(fromHex("ffffffff6c1b5b324a00")!)).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })
})
