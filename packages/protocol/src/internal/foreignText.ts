/** Decodes texts with bytes above 0x7F, for the generated decoders. */
import { toHex } from "../Hex.ts"
import { decodeText, type Encoding } from "../Text.ts"

/** The `<field>Hex` entries of the object that is being decoded. All decoders can share this variable, because decoding is synchronous. */
export const foreign: { extras: Record<string, string> | undefined } = { extras: undefined }

/** Decodes a text with bytes above 0x7F. If the bytes cannot be restored from the text, the function collects them in {@link foreign}. */
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

/** Adds the entries of {@link foreign} to `target`, and then clears {@link foreign}. */
export const takeExtras = (target: object): void => {
  Object.assign(target, foreign.extras)
  foreign.extras = undefined
}
