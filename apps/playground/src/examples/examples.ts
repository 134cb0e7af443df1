/** Example datagrams: all examples of the protocol documents, and undocumented messages of real servers. */
import { fromHex } from "@sourcewire/protocol"
import type { Datagram } from "@sourcewire/ui/bytes"
import groups from "./examples.json" with { type: "json" }

/** An example: a title, the source of its datagrams, a hint about what the user should notice, and the bytes of the datagrams as hex. */
export type Example = (typeof groups)[number]["examples"][number]

export const exampleGroups = groups

export const examples: ReadonlyArray<Example> = groups.flatMap((group) => group.examples)

export const readExample = (id: string): ReadonlyArray<Datagram> =>
  (examples.find((one) => one.id === id)?.datagrams ?? []).map((hex) => ({ bytes: fromHex(hex)! }))
