/** Targets for the input of users: capture files, and bytes in any text format. */
import { CaptureReader, readText } from "@sourcewire/capture"
import { toHex } from "@sourcewire/protocol"
import { capturedMessages, type CaptureCounts } from "../../../../apps/cli/src/decode/capture.ts"
import { fromLines } from "../../../../apps/cli/src/decode/input.ts"
import { isoTime } from "../../../../apps/cli/src/decode/isoTime.ts"
import { ip, links, pcap, pcapng } from "../../../testing/captureFiles.ts"
import { datagrams, splits } from "../seeds.ts"
import { type Input, must, type Target } from "../Target.ts"

const common = { maxBytes: 8192, baseSteps: 100_000, stepsPerByte: 2000 } as const

const variants = [
  { littleEndian: true, nanoseconds: false },
  { littleEndian: true, nanoseconds: true },
  { littleEndian: false, nanoseconds: false }
] as const

const files = (): ReadonlyArray<Input> =>
  [pcap, pcapng].flatMap((write) =>
    variants.flatMap((variant) =>
      ([1, 101, 113, 0] as const).map((linkType): Input => {
        const frames = [...datagrams.slice(0, 4), ...splits[0]!].map((payload, i) => {
          const packet = ip({ source: ["127.0.0.1", 27015], destination: ["127.0.0.2", 40000], payload })
          return { timeNs: BigInt(i) * 1_000_000n, bytes: links[linkType]!(packet) }
        })
        return [write(linkType, frames, variant)]
      })
    )
  )

/** Tests capture files. Users pass such files to `decode --pcap`, or drop them on the page. */
export const captureFiles: Target = {
  ...common,
  name: "capture files",
  holds:
    "no error except InvalidCapture; at most as many messages as packets, and as many bytes as the file; chunks do not affect the result",
  covers: /^packages\/capture\/src\/(?!text|readText|list)|^apps\/cli\/src\/decode\/capture\./,
  weight: 5,
  seeds: files,
  run: async ([file = new Uint8Array()]) => {
    const reader = new CaptureReader()
    const whole = reader.add(file)
    const problem = reader.end()
    must(whole.reduce((sum, { bytes }) => sum + bytes.length, 0) <= file.length, "more bytes than the file has")
    const counts: CaptureCounts = { packets: 0, notUdp: 0, foreign: 0, incomplete: 0 }
    const half = file.length >> 1
    const chunks = (async function* () {
      yield file.subarray(0, half)
      yield file.subarray(half)
    })()
    let messages = 0
    let ended: unknown
    try {
      for await (const { timeNs } of capturedMessages(chunks, { encoding: "auto", fields: false }, counts)) {
        const time = timeNs === undefined ? undefined : isoTime(timeNs)
        must(
          time === undefined || /^\d{4,6}-\d\d-\d\dT[\d:.]{15}Z$/.test(time.replace(/^\+/, "")),
          `a time like ${time}`
        )
        messages++
      }
    } catch (error) {
      ended = error
    }
    must(messages <= counts.packets && counts.packets <= file.length, "more messages than packets")
    must(
      counts.packets === reader.packets && (ended as Error | undefined)?.message === problem?.message,
      `read in two chunks, ${counts.packets} packets and ${ended}; in one, ${reader.packets} and ${problem}`
    )
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

/** Tests bytes in text form. Users pass such a text to `decode` as an argument or on standard input, or paste it into the page. */
export const texts: Target = {
  ...common,
  name: "bytes as text",
  holds: "no throw; at most four bytes per character; an error has a reason",
  covers: /^packages\/capture\/src\/(text|readText)|^apps\/cli\/src\/decode\/input/,
  weight: 5,
  maxBytes: 2048,
  seeds: spellings,
  run: async ([bytes = new Uint8Array()]) => {
    const text = new TextDecoder().decode(bytes)
    const read = readText(text)
    if (read.ok) {
      const length = read.datagrams.reduce((sum, one) => sum + one.bytes.length, 0)
      must(length <= 4 * text.length, "more than four bytes per character")
    } else must(read.message !== "", "an empty error")
    const lines = (async function* () {
      yield bytes
    })()
    for await (const input of fromLines(lines))
      must(input._tag === "Success" || input.failure.message !== "", "an empty error")
  }
}
