/**
 * Captures of real servers of 78 games. We must not publish the captures, so the repository does not contain them. If the file of the
 * captures does not exist, the list is empty, and the tests of the captures are skipped or check nothing.
 */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { fromHex } from "../src/Hex.ts"

export interface Capture {
  readonly id: string
  readonly query: string
  readonly engine: string
  readonly tags: ReadonlyArray<string>
  readonly packets: ReadonlyArray<Uint8Array>
  readonly expected: Record<string, unknown> | null
}

const file = fileURLToPath(new URL("../../../../shared/vectors/captures.jsonl", import.meta.url))

export const captures: ReadonlyArray<Capture> = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => {
        const row = JSON.parse(line) as Omit<Capture, "packets"> & { packets: Array<string>; strippedBytes?: string }
        // Some datagrams were stored without their header. In this case, `strippedBytes` contains the header.
        return Object.assign(row, { packets: row.packets.map((hex) => fromHex((row.strippedBytes ?? "") + hex)!) })
      })
  : []
