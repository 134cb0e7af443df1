/** Datagrams that were written by hand from the byte tables. Each datagram tests a special case; `name` describes this case. */
import { readFileSync } from "node:fs"
import { fromHex } from "../src/Hex.ts"

const file = JSON.parse(readFileSync(new URL("fixtures/dissections.json", import.meta.url), "utf8")) as ReadonlyArray<{
  readonly name: string
  readonly hex: string
  /** Offset, length, path, type and value of each field, except the header and the message type. */
  readonly fields: ReadonlyArray<string>
  readonly message: object
}>

export const cases = file.map((one) => ({ ...one, bytes: fromHex(one.hex)! }))
