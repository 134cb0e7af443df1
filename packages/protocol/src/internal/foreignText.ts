/** Texts with bytes above 0x7F, as the generated decoders decode them. */
import { toHex } from "../Hex.ts"
import { decodeText, type Encoding } from "../Text.ts"

/** `<field>Hex` entries of the current object. A decode is not interrupted, so one list is enough. */
export const foreign: { extras: Record<string, string> | undefined } = { extras: undefined }

/** A text with bytes above 0x7F. */
export const foreignText = (
  bytes: Uint8Array,
  start: number,
  end: number,
  encoding: Encoding,
  field: string
): string => {
  const { exact, text } = decodeText(bytes, start, end, encoding)
  if (!exact) (foreign.extras ??= {})[`${field}Hex`] = toHex(bytes, start, end)
  return text
}

/** Adds the collected `<field>Hex` entries after the fields of the object. */
export const takeExtras = (target: object): void => {
  Object.assign(target, foreign.extras)
  foreign.extras = undefined
}
