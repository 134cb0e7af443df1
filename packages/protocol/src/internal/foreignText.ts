/** Texts with bytes above 0x7F, as the generated decoders read them. */
import { toHex } from "../Hex.ts"
import { decodeText, type Encoding } from "../Text.ts"

/** `<field>Hex` entries of the object being read. A decode runs to its end undisturbed, so one is enough. */
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

/** Puts the collected `<field>Hex` entries behind the fields of the object just read. */
export const takeExtras = (target: object): void => {
  Object.assign(target, foreign.extras)
  foreign.extras = undefined
}
