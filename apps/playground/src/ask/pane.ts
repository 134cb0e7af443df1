/**
 * Which part of the view is shown.
 *
 * @module
 */
import { signal } from "@preact/signals"

/** Its parts. */
export const PANES = ["query", "watch", "list", "console", "servers"] as const

/** Name of a part. */
export type Pane = (typeof PANES)[number]

/** The part that is shown. */
export const pane = signal<Pane>("query")
