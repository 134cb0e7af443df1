/** Commands that edit the datagram of the selected row. */
import type { Section } from "@sourcewire/ui/analysis"
import type { Datagram } from "@sourcewire/ui/bytes"
import type { Cursor } from "@sourcewire/ui/inspector"
import { change, datagrams, findFragments, inspection, work } from "./workbench.ts"

const withBytes = (datagram: number, bytes: Uint8Array): ReadonlyArray<Datagram> =>
  datagrams.value.map((one, index) => (index === datagram ? { ...one, bytes } : one))

/** Whether a section can be edited. Decompressed bytes cannot be edited, because no datagram contains them. */
export const canEdit = ({ datagram, kind }: Section): boolean => kind === "datagram" && datagram !== undefined

/** Whether the page is still decoding datagrams, after an edit or after a new input. */
export const isDecoding = (): boolean => work.value !== undefined

/**
 * Replaces the bytes of a datagram. If the user types the two hex digits of a byte, Undo reverts both digits in one step. Returns `false`
 * if the edit is dropped (see {@link change}).
 */
export const changeBytes = (
  { datagram = 0 }: Section,
  bytes: Uint8Array,
  cursor: Cursor,
  typed?: number
): Promise<boolean> =>
  change(withBytes(datagram, bytes), {
    datagram,
    cursor,
    ...(typed === undefined ? {} : { of: `byte ${datagram} ${typed}` })
  })

/**
 * The section with the cursor, or the first section if there is no cursor. `undefined` if this section cannot be edited, or if the page is
 * still decoding.
 */
const current = (): { readonly section: Section; readonly place: number; readonly offset: number } | undefined => {
  const sections = inspection.anatomy.value?.sections ?? []
  const { offset = 0, section: place = 0 } = inspection.cursor.value ?? {}
  const section = sections[place]
  return section === undefined || !canEdit(section) || isDecoding() ? undefined : { section, place, offset }
}

/** The command of a button. `undefined` if the button is disabled now. */
type Command = (() => void) | undefined

/** Removes the byte at the cursor and all bytes after it. */
export const truncation = (): Command => {
  const at = current()
  if (at === undefined || inspection.cursor.value === undefined || at.offset >= at.section.bytes.length)
    return undefined
  const { offset, place, section } = at
  return () => void changeBytes(section, section.bytes.subarray(0, offset), { section: place, offset })
}

/** Inverts the first byte of the CRC32 of a compressed reply. */
export const wrongChecksum = (): Command => {
  const field = [...inspection.nodes.value.values()].find(({ name }) => name === "crc32")
  const span = field?.spans[0]
  const section = inspection.anatomy.value?.sections[span?.section ?? -1]
  if (span === undefined || section === undefined || !canEdit(section) || isDecoding()) return undefined
  const bytes = section.bytes.with(span.start, section.bytes[span.start]! ^ 0xff)
  return () => void changeBytes(section, bytes, { section: span.section, offset: span.start })
}

/** Removes the fragment that contains the cursor. */
export const droppedFragment = (): Command => {
  const at = current()
  const own = at === undefined ? [] : findFragments(at.section.datagram!)
  if (at === undefined || own.length < 2) return undefined
  const dropped = at.section.datagram!
  const other = own.find((index) => index !== dropped)!
  return () => void change(datagrams.value.toSpliced(dropped, 1), { datagram: other > dropped ? other - 1 : other })
}

/**
 * Swaps the fragment that contains the cursor with the next fragment of the reply. If the cursor is in the last fragment, this fragment is
 * swapped with the previous fragment.
 */
export const swappedFragments = (): Command => {
  const at = current()
  const own = at === undefined ? [] : findFragments(at.section.datagram!)
  if (at === undefined || own.length < 2) return undefined
  const place = Math.min(own.indexOf(at.section.datagram!), own.length - 2)
  const [one, other] = [own[place]!, own[place + 1]!]
  return () => {
    const all = datagrams.value
    // Only the bytes are swapped. The times, senders and receivers stay at their positions in the list.
    const swapped = all
      .with(one, { ...all[one]!, bytes: all[other]!.bytes })
      .with(other, { ...all[other]!, bytes: all[one]!.bytes })
    void change(swapped, { datagram: other })
  }
}
