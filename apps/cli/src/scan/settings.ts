/**
 * What `sourcewire scan` takes, as its parser gives it.
 *
 * @module
 */
import type { ScanOptions, ScanQuery } from "@sourcewire/core"
import type { Encoding } from "@sourcewire/protocol"
import * as Option from "effect/Option"

/** How results are printed. */
export type Format = "table" | "json" | "csv"

/** The values of the command's flags and arguments. */
export interface ScanSettings {
  readonly targets: ReadonlyArray<string>
  readonly file: ReadonlyArray<string>
  readonly port: number
  readonly public: boolean
  readonly exclude: ReadonlyArray<string>
  readonly query: ScanQuery
  readonly format: Format
  readonly json: boolean
  readonly where: Option.Option<string>
  readonly answered: boolean
  readonly shard: Option.Option<string>
  readonly checkpoint: Option.Option<string>
  readonly watch: Option.Option<number>
  readonly rounds: Option.Option<number>
  readonly concurrency: number
  readonly rate: Option.Option<number>
  readonly perHost: number
  readonly perNetwork: number
  readonly timeout: number
  readonly retries: number
  readonly encoding: Encoding
}

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
