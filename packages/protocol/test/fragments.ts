/** Replies in fragments, and functions to join the fragments. */
import { assert } from "@effect/vitest"
import * as Result from "effect/Result"
import { splitDatagram, type Joined, type Reassembler, type SplitLayout } from "../src/Split.ts"
import { compressedRules, rulesReply } from "./bzip2Streams.ts"

export const layouts: ReadonlyArray<SplitLayout> = ["source", "source-no-size", "goldsource"]

export const splitRules = (layout: SplitLayout, bzip2: boolean, id = 0x1234, maxBytes = bzip2 ? 100 : 400) =>
  splitDatagram(rulesReply, { layout, id, maxBytes, ...(bzip2 ? { compressed: compressedRules } : {}) })

/** Adds all datagrams to a reassembler, and returns the joined reply. Only the last datagram may complete the reply. */
export const addAll = (reassembler: Reassembler, datagrams: ReadonlyArray<Uint8Array>): Joined => {
  for (const datagram of datagrams.slice(0, -1)) assert.isUndefined(Result.getOrThrow(reassembler.add(datagram)))
  return Result.getOrThrow(reassembler.add(datagrams.at(-1)!))!
}

export const shuffled = <A>(items: ReadonlyArray<A>, random: () => number): Array<A> =>
  items
    .map((item) => ({ item, key: random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
