/** Made by hand from the byte tables, a case for each thing that a reader can meet; see `name`. */
import { readFileSync } from "node:fs"
import { fromHex } from "../src/Hex.ts"

const file = JSON.parse(readFileSync(new URL("fixtures/dissections.json", import.meta.url), "utf8")) as ReadonlyArray<{
  readonly name: string
  readonly hex: string
  /** Offset and length, path, kind and value of what is behind header and type. */
  readonly fields: ReadonlyArray<string>
  readonly message: object
}>

export const cases = file.map((one) => ({ ...one, bytes: fromHex(one.hex)! }))
