/**
 * The real captures of 78 games. They are not ours to publish, so they are read where the project's build machines have them; elsewhere
 * there are none and the tests over them have nothing to do.
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
        // Some fixtures were stored without their header, which the row names.
        return Object.assign(row, { packets: row.packets.map((hex) => fromHex((row.strippedBytes ?? "") + hex)!) })
      })
  : []
