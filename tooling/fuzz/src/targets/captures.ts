/**
 * What people hand in: capture files and pasted bytes, on the command line and on the page.
 *
 * @module
 */
import { Limits, toHex } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { capturedMessages, type CaptureCounts } from "../../../../apps/cli/src/capture/messages.ts"
import { InvalidCapture } from "../../../../apps/cli/src/capture/packet.ts"
import { parseHexLine } from "../../../../apps/cli/src/decode/hexLine.ts"
import { readPasted } from "../../../../apps/playground/src/bytes/Pasted.ts"
import { readCapture } from "../../../../apps/playground/src/capture/Capture.ts"
import { capture } from "../captureFiles.ts"
import type { Input } from "../Input.ts"
import { datagrams, splits } from "../seeds.ts"
import { must, type Target } from "../Target.ts"

const common = { events: false, steering: 0, maxBytes: 8192, baseSteps: 100_000, stepsPerByte: 2000 } as const

const files = (): ReadonlyArray<Input> =>
  (["pcap", "pcap-ns", "pcap-be", "pcapng", "pcapng-be"] as const).flatMap((format) =>
    ([1, 101, 113, 0] as const).map((linkType): Input => [
      capture([...datagrams.slice(0, 4), ...splits[0]!], format, linkType)
    ])
  )

/** Capture files for `sourcewire decode --pcap`. */
export const captureOnCommandLine: Target = {
  ...common,
  name: "capture (cli)",
  holds: "no error but InvalidCapture; no more messages than packets",
  covers: /^apps\/cli\/src\/capture/,
  weight: 2,
  seeds: files,
  run: async ([file = new Uint8Array()]) => {
    const counts: CaptureCounts = { packets: 0, notUdp: 0, foreign: 0, incomplete: 0 }
    const half = file.length >> 1
    const chunks = (async function* () {
      yield file.subarray(0, half)
      yield file.subarray(half)
    })()
    let messages = 0
    try {
      for await (const { time } of capturedMessages(chunks, { encoding: "auto", fields: false }, counts)) {
        must(
          time === undefined || /^\d{4,6}-\d\d-\d\dT[\d:.]{15}Z$/.test(time.replace(/^\+/, "")),
          `a time like ${time}`
        )
        messages++
      }
    } catch (error) {
      if (!(error instanceof InvalidCapture)) throw error
    }
    must(messages <= counts.packets && counts.packets <= file.length, "more messages than packets")
  }
}

/** Capture files dropped on the page. */
export const captureOnPage: Target = {
  ...common,
  name: "capture (page)",
  holds: "no throw; no more bytes out than in",
  covers: /^apps\/playground\/src\/capture/,
  weight: 3,
  seeds: files,
  run: ([file = new Uint8Array()]) => {
    const read = readCapture(file)
    if (read === undefined) return
    const bytes = read.datagrams.reduce((sum, datagram) => sum + datagram.bytes.length, 0)
    must(bytes <= file.length && read.leftOut >= 0, "more bytes than the file has")
  }
}

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0))

const spellings = (): ReadonlyArray<Input> =>
  datagrams.slice(0, 30).flatMap((bytes) => {
    const hex = toHex(bytes)
    const pairs = hex.match(/../g) ?? []
    return [
      hex,
      pairs.join(" "),
      pairs.map((pair) => `\\x${pair}`).join(""),
      `[${pairs.map((pair) => `0x${pair}`).join(", ")}]`,
      `[${[...bytes].join(", ")}]`,
      `0000  ${pairs.slice(0, 16).join(" ")}  ................\n0010  ${pairs.slice(16, 32).join(" ")}`,
      Buffer.from(bytes).toString("base64")
    ].map((text): Input => [latin1(text)])
  })

/** Hex on the command line and in its standard input. */
export const hexLine: Target = {
  ...common,
  name: "hex line",
  holds: "no throw; no more bytes than characters; an error says where",
  covers: /^apps\/cli\/src\/decode\/hexLine/,
  weight: 3,
  maxBytes: 2048,
  seeds: spellings,
  run: ([bytes = new Uint8Array()]) => {
    const text = Buffer.from(bytes).toString("latin1")
    const parsed = parseHexLine(text)
    if (Result.isSuccess(parsed)) {
      must(parsed.success.reduce((sum, { length }) => sum + length, 0) <= text.length, "more bytes than characters")
    } else must(parsed.failure.message !== "" && parsed.failure.offset <= Limits.MAX_JOINED_BYTES, "an empty error")
  }
}

/** Anything pasted into the page. */
export const pasted: Target = {
  ...common,
  name: "pasted bytes",
  holds: "no throw; no more bytes than characters",
  covers: /^apps\/playground\/src\/bytes/,
  weight: 3,
  maxBytes: 2048,
  seeds: spellings,
  run: ([bytes = new Uint8Array()]) => {
    const text = new TextDecoder().decode(bytes)
    const read = readPasted(text)
    if (read.ok === false) return
    must(
      read.datagrams.reduce((sum, one) => sum + one.bytes.length, 0) <= 4 * text.length,
      "more bytes than characters"
    )
  }
}
