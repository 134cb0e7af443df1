/**
 * Datagrams worth looking at: every example of the protocol documents, and what real servers send that no document says. The bytes are
 * in `samples.json`, by id.
 *
 * @module
 */
import { fromHex } from "@sourcewire/protocol"
import type { Datagram } from "../bytes/Datagram.ts"
import { documentExamples } from "./documentExamples.ts"
import type { Example } from "./Example.ts"
import { fieldExamples } from "./fieldExamples.ts"
import samples from "./samples.json" with { type: "json" }

/** All examples, in the order in which they are shown. */
export const galleryGroups: ReadonlyArray<{ readonly title: string; readonly examples: ReadonlyArray<Example> }> = [
  { title: "From the protocol documents", examples: documentExamples },
  ...fieldExamples
]

/** The datagrams of an example. */
export const datagramsOf = (id: string): ReadonlyArray<Datagram> =>
  ((samples as Readonly<Record<string, ReadonlyArray<string>>>)[id] ?? []).map((hex) => ({ bytes: fromHex(hex)! }))

/** Ids of all samples, shown or not: a test holds them against the examples. */
export const sampleIds: ReadonlyArray<string> = Object.keys(samples)
