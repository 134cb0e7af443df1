/** Labels of Prometheus: what their names may be, and how values that strangers chose are written. */
import { displayText } from "@sourcewire/core/text"

/** What the name of a label may be. */
export const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/

/** Labels that the monitor sets itself; names that begin with two underscores are Prometheus' own. */
export const RESERVED_LABELS: ReadonlySet<string> = new Set(
  "target location group name map game version instance job le quantile".split(" ")
)

/** Longer values are cut: a label is no place for a novel. */
const MAX_VALUE = 128

const escaped = (text: string): string => text.replace(/[\\"\n]/g, (c) => (c === "\n" ? "\\n" : `\\${c}`))

/** A value that strangers may have chosen, as it stands between the quotes. */
export const labelValue = (text: string): string => {
  const shown = displayText(text)
  return escaped(shown.length > MAX_VALUE ? [...shown].slice(0, MAX_VALUE).join("") : shown)
}
