/**
 * A part of the targets, for one of several machines: which part a target belongs to follows from its text alone, so that every
 * machine decides alike, in whatever order and however long its list is.
 */
import { formatAddress, parseAddress } from "@sourcewire/core"
import * as Result from "effect/Result"

/** Part `index` (from 1) of `count`. */
export interface Shard {
  readonly index: number
  readonly count: number
}

/** Reads `I/N`. */
export const parseShard = (text: string): Shard | undefined => {
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(text)
  const [index, count] = [Number(match?.[1]), Number(match?.[2])]
  return index >= 1 && index <= count ? { index, count } : undefined
}

/** FNV-1a, with a last mixing so that neighbouring addresses do not fall into neighbouring parts. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Whether a target is of this part; with and without its default port it is the same target. */
export const isInShard = (target: string, shard: Shard): boolean => {
  const address = parseAddress(target)
  const text = Result.isSuccess(address) ? formatAddress(address.success) : target
  return hashOf(text) % shard.count === shard.index - 1
}
