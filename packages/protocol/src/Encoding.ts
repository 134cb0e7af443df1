/**
 * The encodings that texts may be in, and how one of them is chosen. What stands in them is the matter of `Text.ts`.
 *
 * @module
 */
import { read } from "./internal/bytes.ts"

/** How the bytes of a string are to be read; `auto` decides by the bytes, see `decodeText`. */
export type Encoding = "utf-8" | "latin1" | "windows-1251" | "windows-1252" | "auto"

/** Every {@link Encoding}, for option parsers and menus. */
export const ENCODINGS: ReadonlyArray<Encoding> = ["auto", "utf-8", "latin1", "windows-1251", "windows-1252"]

/** Whether a value is one of them. */
export const isEncoding = (value: unknown): value is Encoding => ENCODINGS.includes(value as Encoding)

/** What an encoding must be, in a sentence. */
export const encodingMust = (): string => `must be one of ${ENCODINGS.join(", ")}`

/** The encoding in somebody's options, `auto` where there is none; `undefined` for what is no encoding. */
export const encodingOf = (options: { readonly encoding?: Encoding | undefined } | undefined): Encoding | undefined => {
  if (options === undefined || options === null) return "auto"
  const encoding = typeof options === "object" ? read(() => options.encoding ?? "auto") : undefined
  return isEncoding(encoding) ? encoding : undefined
}
