/** The Wireshark dissector finds the same fields at the same bytes as `dissect`, in every recorded datagram and in samples of messages. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { ip, links, pcap } from "../../../tooling/testing/captureFiles.ts"
import { externalProgram } from "../../../tooling/testing/externalProgram.ts"
import { dissect, toHex } from "../src/index.ts"
import { encodeAs } from "../src/internal/interpret/byCodec.ts"
import type { Codec } from "../src/WireFormat.ts"
import * as Messages from "../src/Message.ts"
import { arbitrary } from "../src/testing.ts"
import { recordedDatagrams } from "./recordedDatagrams.ts"

const tshark = externalProgram("tshark", "tshark")
const script = fileURLToPath(new URL("../dissectors/sourcewire.lua", import.meta.url))
const directory = mkdtempSync(join(tmpdir(), "sourcewire-tshark-"))
afterAll(() => rmSync(directory, { recursive: true }))

interface Field {
  readonly path: string
  readonly offset: number
  readonly hex: string
  readonly value?: string
}

const RAW_IP = 101
const HEADERS = 28
const NUMBERS = new Set(["u8", "u16", "i32", "u32", "u64"])

/** Whether tshark and `dissect` show a text in the same way. tshark escapes some characters, and reads only UTF-8. */
const isComparable = (value: unknown): boolean => /^[^\p{C}\uFFFD"\\]*$/u.test(String(value))
const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The fields that this package reads from a datagram, in the order of the bytes, or `undefined` if the datagram cannot be decoded. */
const readFields = (datagram: Uint8Array): ReadonlyArray<Field> | undefined => {
  const { fields, result } = dissect(datagram)
  if (Result.isFailure(result)) return undefined
  const tag = result.success._tag.toLowerCase()
  return fields.map(({ length, offset, path, type, value }) => ({
    path: `sourcewire.${tag}.${path.replaceAll(/\[\d+\]/g, "").toLowerCase()}`,
    offset,
    hex: toHex(datagram, offset, offset + length),
    ...(NUMBERS.has(type) ||
    (type === "text" && isComparable(value) && isUtf8(datagram.subarray(offset, offset + length)))
      ? { value: String(value) }
      : {})
  }))
}

const formatPlace = (path: string, offset: number): string => `${path} ${offset}`

type Raw = readonly [hex: string, position: number, length: number]

/** The fields of a packet in tshark's JSON. A field contains its value only if `isCompared` returns true for its path and offset. */
const listFields = (layer: unknown, isCompared: (place: string) => boolean): ReadonlyArray<Field> =>
  typeof layer !== "object" || layer === null
    ? []
    : Object.entries(layer).flatMap(([key, value]: [string, unknown]) => {
        const path = key.replace(/_raw$/, "")
        if (!key.endsWith("_raw") || !path.startsWith("sourcewire.") || path === "sourcewire.message") {
          return key.endsWith("_raw") ? [] : listFields(value, isCompared)
        }
        const raws = (Array.isArray((value as ReadonlyArray<unknown>)[0]) ? value : [value]) as ReadonlyArray<Raw>
        const shown = [(layer as Readonly<Record<string, unknown>>)[path]].flat()
        return raws.map(([hex, position], i) => {
          const offset = position - HEADERS
          return { path, offset, hex, ...(isCompared(formatPlace(path, offset)) ? { value: String(shown[i]) } : {}) }
        })
      })

/** The fields that tshark reads from each datagram. */
const readWithTshark = (
  datagrams: ReadonlyArray<Uint8Array>
): ReadonlyArray<(isCompared: (place: string) => boolean) => ReadonlyArray<Field>> => {
  const file = join(directory, "capture.pcap")
  const frames = datagrams.map((payload, i) => ({
    timeNs: BigInt(i) * 1_000_000n,
    bytes: links[RAW_IP]!(ip({ source: ["192.0.2.1", 27_015], destination: ["192.0.2.2", 40_000], payload }))
  }))
  writeFileSync(file, pcap(RAW_IP, frames))
  const args = ["-X", `lua_script:${script}`, "-r", file, "-T", "json", "-x", "--no-duplicate-keys", "-n"]
  const { status, stderr, stdout } = spawnSync(tshark!, args, {
    encoding: "utf8",
    maxBuffer: 1 << 30,
    // tshark prints texts in the encoding of the locale.
    env: { ...process.env, HOME: directory, LC_ALL: "C.UTF-8" }
  })
  expect(stderr.split("\n").filter((line) => /lua|error/i.test(line))).toEqual([])
  expect(status).toBe(0)
  const packets = JSON.parse(stdout) as ReadonlyArray<{ readonly _source: { readonly layers: object } }>
  expect(packets).toHaveLength(datagrams.length)
  return packets.map(
    ({ _source }) =>
      (isCompared) =>
        listFields(_source.layers, isCompared)
  )
}

const comparePlaces = (a: Field, b: Field): number =>
  a.offset - b.offset || a.hex.length - b.hex.length || (a.path < b.path ? -1 : 1)

const compareFields = (datagrams: ReadonlyArray<Uint8Array>): void => {
  const read = readWithTshark(datagrams)
  for (const [i, datagram] of datagrams.entries()) {
    const here = readFields(datagram)!
      .filter(({ hex }) => hex !== "")
      .toSorted(comparePlaces)
    const compared = new Set(
      here.flatMap(({ offset, path, value }) => (value === undefined ? [] : [formatPlace(path, offset)]))
    )
    const there = read[i]!((place) => compared.has(place))
      .filter(({ hex }) => hex !== "")
      .toSorted(comparePlaces)
    expect({ datagram: toHex(datagram), fields: there }).toEqual({ datagram: toHex(datagram), fields: here })
  }
}

describe.skipIf(tshark === undefined)("the dissector for Wireshark", () => {
  it("finds the same fields as `dissect` in every recorded datagram", () => {
    const datagrams = recordedDatagrams()
    expect(datagrams.length).toBeGreaterThan(80)
    compareFields(datagrams)
  }, 120_000)

  it("finds the same fields as `dissect` in samples of messages", async () => {
    // Samples contain arbitrary values, so a datagram can look like another message. In such a case, the fields of that other message are
    // compared.
    const codecs = [
      Messages.InfoRequest,
      Messages.InfoReply,
      Messages.GoldSourceInfoReply,
      Messages.PlayersRequest,
      Messages.PlayersReply,
      Messages.RulesReply,
      Messages.ChallengeReply,
      Messages.PingReply
    ] as ReadonlyArray<Codec<{ readonly _tag: string }>>
    const samples = await Promise.all(
      codecs.map((codec) => Effect.runPromise(Arbitrary.sampleEffect(arbitrary(codec), { count: 25, seed: 11 })))
    )
    const datagrams = samples
      .flatMap((messages, i) => messages.map((message) => Result.getOrThrow(encodeAs(codecs[i]!, message))))
      .filter((bytes) => bytes.length < 60_000 && readFields(bytes) !== undefined)
    expect(datagrams.length).toBeGreaterThan(150)
    compareFields(datagrams)
  }, 120_000)
})
