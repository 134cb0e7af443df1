/** Results as NDJSON. */
import { displayJson } from "@sourcewire/core/text"

/** One value on one line, without its line end. */
export const jsonLine = (value: unknown): string => displayJson(JSON.stringify(value))

/** An error as results carry it: its tag and message first, then what else it knows. */
export const errorJson = (error: { readonly _tag: string; readonly message: string }): Record<string, unknown> => {
  const { _tag, message, ...rest } = error
  return { _tag, message, ...rest }
}
