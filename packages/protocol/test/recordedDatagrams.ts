/** Datagrams from the recordings of real servers. Fragments, and datagrams that cannot be decoded, are omitted. */
import * as Result from "effect/Result"
import { readdirSync, readFileSync } from "node:fs"
import { dissect, toHex } from "../src/index.ts"

interface Recording {
  readonly exchanges: ReadonlyArray<{
    readonly request_hex: string
    readonly replies: ReadonlyArray<{ readonly hex: string }>
  }>
}

export const recordedDatagrams = (): ReadonlyArray<Uint8Array> => {
  const folder = new URL("../../core/test/fixtures/recordings/", import.meta.url)
  const recorded = readdirSync(folder).flatMap((file) => {
    const { exchanges } = JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Recording
    return exchanges.flatMap(({ replies, request_hex }) => [request_hex, ...replies.map(({ hex }) => hex)])
  })
  return [...new Set(recorded)]
    .map((hex) => Uint8Array.from(Buffer.from(hex, "hex")))
    .filter(
      (bytes) => bytes.length >= 5 && toHex(bytes, 0, 4) === "ffffffff" && Result.isSuccess(dissect(bytes).result)
    )
}
