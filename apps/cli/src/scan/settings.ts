/** What `sourcewire scan` takes, as its parser gives it. */
import type { ScanOptions } from "@sourcewire/core"
import * as Option from "effect/Option"
import type { ScanSettings } from "./command.ts"

/** How results are printed. */
export type Format = "table" | "json" | "csv"

/** The part of them that the scanner wants. */
export const scanOptions = (settings: ScanSettings): ScanOptions => ({
  concurrency: settings.concurrency,
  rate: Option.getOrUndefined(settings.rate),
  perHost: settings.perHost,
  perNetwork: settings.perNetwork,
  timeoutMs: settings.timeout,
  retries: settings.retries,
  encoding: settings.encoding,
  exclude: settings.exclude
})

/** `--json` is short for `--format json`. */
export const formatOf = ({ format, json }: ScanSettings): Format => (json ? "json" : format)
