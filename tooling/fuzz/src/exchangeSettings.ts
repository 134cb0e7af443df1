/**
 * What a query is allowed, by a byte of the input.
 *
 * @module
 */
import type { ExchangeSettings } from "@sourcewire/core"
import { Random } from "./engine/random.ts"

/** Three seconds, up to eight retransmissions, and jitter that is the same again. */
export const settingsOf = (seed: number): ExchangeSettings => ({
  timeoutMs: 3000,
  retries: seed % 9,
  encoding: "auto",
  random: new Random(seed).next
})
