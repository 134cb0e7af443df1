/** Checks names of Prometheus labels, and encodes their values. */
import { displayText } from "@sourcewire/core/text"

export const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/

/** Labels that only the monitor or Prometheus sets. In addition, names that begin with two underscores are reserved for Prometheus. */
export const RESERVED_LABELS: ReadonlySet<string> = new Set(
  "target location group name map game version instance job le quantile".split(" ")
)

/** Maximum length of a label's value. Longer values are truncated, because Prometheus stores every value. */
const MAX_VALUE = 128

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))

/** Truncates the value of a label and escapes it for use between quotes. Game servers choose some of the values. */
export const labelValue = (text: string): string => {
  const shown = displayText(text)
  return escaped(shown.length > MAX_VALUE ? [...shown].slice(0, MAX_VALUE).join("") : shown)
}
