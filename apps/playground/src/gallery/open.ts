/**
 * Opens an example where datagrams are taken apart.
 *
 * @module
 */
import { go } from "../state/address.ts"
import { takeApart } from "../takeApart/workbench.ts"
import { datagramsOf, galleryGroups } from "./gallery.ts"

/** Shows an example and what to look at. */
export const openExample = async (id: string): Promise<void> => {
  const example = galleryGroups.flatMap((group) => group.examples).find((one) => one.id === id)
  if (example === undefined) return
  await takeApart(datagramsOf(id), `${example.title} (${example.source}). ${example.look}`)
  go("take-apart")
}
