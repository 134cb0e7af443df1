/** The datagrams of the view Decode, and the selected row. */
import { formatConversation, plural, readText } from "@sourcewire/capture"
import { type Encoding, toHex } from "@sourcewire/protocol"
import { isSplit } from "@sourcewire/protocol/wire"
import { type Signal, batch, computed, signal } from "@preact/signals"
import { anatomise, type Anatomy, firstWorthwhile, type Row } from "@sourcewire/ui/analysis"
import { type Datagram, packDatagrams, countBytes, unpackDatagrams } from "@sourcewire/ui/bytes"
import { chooseByte, type Cursor, forget, makeInspection, pointAt } from "@sourcewire/ui/inspector"
import { focusFindings } from "../explain/focus.ts"
import { type Values, go, leaveFirstScreen, linkTo, tab } from "../state/address.ts"
import { step } from "../state/steps.ts"
import { listChoices, filter, passing, widen } from "./filtering.ts"
import type { Diagnosis, Finding } from "@sourcewire/diagnosis"
import type { Shown } from "../explain/exports.ts"
import { findDatagramRow, findSpans } from "../explain/explanation.ts"
import { parseAddresses } from "./addresses.ts"
import { explainAside } from "./surveyor.ts"

export const pasted = signal("")

/** The addresses in the input. Empty if the input does not consist of addresses. */
export const addresses = signal<ReadonlyArray<string>>([])

export const outcome = signal<{ readonly ok: boolean; readonly text: string }>({ ok: true, text: "" })

export const encoding = signal<Encoding>("auto")

export const datagrams = signal<ReadonlyArray<Datagram>>([])

export const rows = signal<ReadonlyArray<Row>>([])

export const diagnoses = signal<ReadonlyArray<Diagnosis>>([])

/** Addresses and ports at which no program listens, according to ICMP messages in the capture. */
const refused = signal<ReadonlySet<string> | undefined>(undefined)

export const chosenRow = signal(0)

/** Positions of the rows that match the filter. */
export const shown = computed(() => passing(rows.value, datagrams.value, filter.value))

/**
 * The diagnoses that the page shows. If the filter selects a server or a conversation, the page shows only the diagnoses of this server or
 * conversation.
 */
export const shownDiagnoses = computed(() => {
  const { ends } = filter.value
  if (ends === "") return diagnoses.value
  return diagnoses.value.filter((one) =>
    one.datagrams.some((index) => {
      const { from, to } = datagrams.value[index]!
      return [from, to, formatConversation({ from, to })].includes(ends)
    })
  )
})

export const choices = computed(() => listChoices(rows.value, datagrams.value))

export const work = signal<string | undefined>(undefined)

/** Whether the page still shows the datagrams of an earlier input, because the latest input could not be read. */
export const stale = computed(() => !outcome.value.ok && rows.value.length > 0)

const anatomy = computed((): Anatomy | undefined => {
  const row = rows.value[chosenRow.value]
  return row === undefined ? undefined : anatomise(row, datagrams.value, encoding.value)
})

export const inspection = makeInspection(anatomy)

/** Selects a row. If a different row was selected before, the selected field, the cursor and the list of open groups are cleared. */
export const chooseRow = (index: number): void =>
  batch(() => {
    if (index !== chosenRow.value) {
      forget(inspection)
      inspection.toggled.value = new Set()
    }
    chosenRow.value = index
  })

/** Clears the filter, and selects the row and the bytes to which a finding refers. */
export const point = (finding: Finding): void => {
  widen()
  const first = finding.places[0]!
  chooseRow(findDatagramRow(rows.value, first.datagram))
  const anatomy = inspection.anatomy.value
  if (anatomy !== undefined) pointAt(inspection, findSpans(finding, anatomy, datagrams.value), finding.field)
}

/** Maximum number of bytes that the input field shows as hex. If all datagrams together have more bytes, the input field is empty. */
const SHOWN_BYTES = 20_000

const formatHex = (given: ReadonlyArray<Datagram>): string =>
  countBytes(given) > SHOWN_BYTES ? "" : given.map((datagram) => toHex(datagram.bytes)).join("\n")

/**
 * A counter. It increases when a decoding starts, and when the decoding in progress is cancelled. If the number changes during a decoding,
 * the result of this decoding is dropped.
 */
let latest = 0

/** Cancels the decoding in progress. The progress message is removed. When the result of the decoding arrives, it is dropped. */
const cancelDecoding = (): void => {
  latest++
  work.value = undefined
}

interface Chosen {
  readonly row?: number | undefined
  readonly field?: string | undefined
  readonly refused?: ReadonlySet<string> | undefined
}

/** Clears the filter, and shows datagrams, for example those of a file or a link. */
export const show = async (given: ReadonlyArray<Datagram>, text: string, chosen: Chosen = {}): Promise<void> => {
  widen()
  pasted.value = formatHex(given)
  await survey(given, text, chosen)
}

/** Shows datagrams from the first screen or from another view, such as an example, an encoded message or a live query. */
export const openDatagrams = async (given: ReadonlyArray<Datagram>, text: string): Promise<void> => {
  if (tab.value === "decode" && rows.value.length === 0) leaveFirstScreen()
  await show(given, text)
  if (tab.value !== "decode") go("decode")
  scrollTo(0, 0)
  focusFindings()
}

/**
 * Decodes datagrams and shows them. Returns `true` if the datagrams are shown. Returns `false` if the result is dropped, because the user
 * has entered a new input or pressed Undo during the decoding.
 */
const survey = async (given: ReadonlyArray<Datagram>, text: string, chosen: Chosen = {}): Promise<boolean> => {
  const own = ++latest
  addresses.value = []
  work.value = `Decoding ${plural(given.length, "datagram")} …`
  const explained = await explainAside({ datagrams: given, encoding: encoding.value, refused: chosen.refused })
  const found = explained.rows
  if (own !== latest) return false
  batch(() => {
    work.value = undefined
    outcome.value = { ok: true, text }
    datagrams.value = given
    rows.value = found
    diagnoses.value = explained.diagnoses
    refused.value = chosen.refused
    chosenRow.value = -1
    chooseRow(
      chosen.row !== undefined && chosen.row < found.length ? chosen.row : findFirst(found, explained.diagnoses)
    )
    if (chosen.field !== undefined) inspection.chosen.value = chosen.field
  })
  return true
}

/**
 * Returns the index of the row to select after decoding. This is the row of the first error. If there are no errors, it is the row of the
 * first warning. If there are no errors and no warnings, {@link firstWorthwhile} chooses the row.
 */
const findFirst = (rows: ReadonlyArray<Row>, diagnoses: ReadonlyArray<Diagnosis>): number => {
  const findings = diagnoses.flatMap(({ findings }) => findings)
  const first =
    findings.find(({ severity }) => severity === "error") ?? findings.find(({ severity }) => severity === "warning")
  return first === undefined ? firstWorthwhile(rows) : findDatagramRow(rows, first.places[0]!.datagram)
}

/**
 * Replaces the datagrams of the list after an edit. If consecutive edits have the same `of`, Undo reverts all of these edits in one step.
 * The row of the edited datagram stays selected, and open groups of fields stay open. The cursor moves to `cursor`.
 *
 * Returns `false` if the edit is dropped. This happens if another decoding is in progress, or if the user enters a new input or presses
 * Undo before the edited datagrams are decoded.
 */
export const change = async (
  given: ReadonlyArray<Datagram>,
  { cursor, datagram, of }: { readonly cursor?: Cursor; readonly datagram: number; readonly of?: string }
): Promise<boolean> => {
  if (work.value !== undefined) return false
  beginStep(of)
  const { kind } = rows.value[chosenRow.value]!
  const toggled = inspection.toggled.value
  pasted.value = formatHex(given)
  if (given.length === 0) {
    clear()
    return true
  }
  const text = `Edited: ${plural(given.length, "datagram")}, ${countBytes(given)} bytes.`
  if (!(await survey(given, text, { refused: refused.value }))) return false
  const holding = rows.value.flatMap(({ datagrams }, index) => (datagrams.includes(datagram) ? [index] : []))
  batch(() => {
    chooseRow(holding.find((index) => rows.value[index]!.kind === kind) ?? holding.at(-1) ?? 0)
    inspection.toggled.value = toggled
    if (cursor !== undefined) chooseByte(inspection, cursor)
  })
  return true
}

/** Reads pasted text. If the text cannot be read, the list still shows the datagrams of the previous input, and {@link stale} is `true`. */
export const paste = async (text: string): Promise<void> => {
  pasted.value = text
  widen()
  if (text.trim() === "") return clear()
  addresses.value = parseAddresses(text)
  if (addresses.value.length > 0) {
    clear(text)
    outcome.value = {
      ok: true,
      text:
        addresses.value.length === 1
          ? "The input is an address."
          : `The input contains ${addresses.value.length} addresses.`
    }
    return
  }
  const read = readText(text)
  if (!read.ok) {
    cancelDecoding()
    outcome.value = { ok: false, text: read.message }
    return
  }
  const { datagrams, spelling } = read
  await survey(
    datagrams,
    `Read as ${spelling}: ${plural(datagrams.length, "datagram")}, ${countBytes(datagrams)} bytes.`
  )
}

/** Stores the current state before a change, so that Undo can restore this state. */
export const beginStep = (of?: string): void => {
  const held: ReadonlyArray<Signal<unknown>> = [
    pasted,
    addresses,
    outcome,
    encoding,
    datagrams,
    rows,
    diagnoses,
    refused,
    chosenRow,
    filter
  ]
  step(() => {
    const before = held.map(({ value }) => value)
    return () =>
      batch(() => {
        cancelDecoding()
        held.forEach((one, i) => (one.value = before[i]))
      })
  }, of)
}

export const clearAll = (): void => {
  beginStep()
  clear()
}

/** Removes all datagrams, so that the page shows the first screen again. Undo restores the datagrams. */
export const returnToFirstScreen = (): void => {
  if (rows.value.length > 0) clearAll()
}

const clear = (text = ""): void =>
  batch(() => {
    cancelDecoding()
    pasted.value = text
    if (text === "") addresses.value = []
    outcome.value = { ok: true, text: "" }
    datagrams.value = []
    rows.value = []
    diagnoses.value = []
  })

export const chooseEncoding = async (chosen: Encoding): Promise<void> => {
  encoding.value = chosen
  await survey(datagrams.value, outcome.value.text, {
    row: chosenRow.value,
    field: inspection.chosen.value,
    refused: refused.value
  })
}

/** The selected field and the encoding, as parameters of a link. The encoding is omitted if it is `auto`. */
const linkParameters = (): Values => ({
  f: inspection.chosen.value,
  enc: encoding.value === "auto" ? undefined : encoding.value
})

/**
 * The datagrams, the selected row, the selected field and the encoding, as parameters of a link. `undefined` if the datagrams are too large
 * for a link.
 */
export const save = async (): Promise<Values | undefined> => {
  if (datagrams.value.length === 0) return {}
  const packed = await packDatagrams(datagrams.value)
  return packed === undefined ? undefined : { d: packed, r: String(chosenRow.value), ...linkParameters() }
}

/**
 * Returns the positions of all fragments of the reply to which a fragment belongs, even if these fragments cannot be joined. If the
 * datagram is not a fragment, the result contains only its position.
 */
export const findFragments = (datagram: number): ReadonlyArray<number> => {
  const all = datagrams.value
  const own = all[datagram]
  if (own === undefined || !isSplit(own.bytes)) return [datagram]
  const id = toHex(own.bytes.subarray(0, SPLIT_ID_END))
  return all.flatMap(({ bytes, from, to }, index) =>
    from === own.from && to === own.to && toHex(bytes.subarray(0, SPLIT_ID_END)) === id ? [index] : []
  )
}

/** Number of bytes of the header and the id at the start of a fragment. */
const SPLIT_ID_END = 8

/**
 * The bytes of each datagram in the selected row. If the selected row is a fragment, the result contains the bytes of all fragments of the
 * same reply.
 */
export const chosenDatagrams = (): ReadonlyArray<Uint8Array> => {
  const chosen = rows.value[chosenRow.value]?.datagrams ?? []
  const places = chosen.length === 1 ? findFragments(chosen[0]!) : chosen
  return places.map((index) => datagrams.value[index]!.bytes)
}

/**
 * A URL that opens the page in its current state. If the datagrams are too large for a link, the URL contains only the datagrams of the
 * selected row.
 */
export const link = async (): Promise<string> => {
  const chosen = rows.value[chosenRow.value]?.datagrams.map((index) => datagrams.value[index]!) ?? []
  return linkTo("decode", (await save()) ?? { d: await packDatagrams(chosen), ...linkParameters() })
}

/** A URL that opens the page with the datagrams `given`. `undefined` if these datagrams are too large for a link. */
export const linkToDatagrams = async (given: ReadonlyArray<Datagram>): Promise<string | undefined> => {
  const packed = await packDatagrams(given)
  return packed === undefined ? undefined : linkTo("decode", { d: packed })
}

/** The datagrams of the rows that match the filter. */
const shownDatagrams = (): ReadonlyArray<Datagram> => {
  const indices = new Set(shown.value.flatMap((index) => rows.value[index]!.datagrams))
  return datagrams.value.filter((_, index) => indices.has(index))
}

/** A URL that opens the page with only those datagrams whose rows match the filter. */
export const linkToShown = (): Promise<string | undefined> => linkToDatagrams(shownDatagrams())

export const shownForExport = (): Shown => ({
  datagrams: shownDatagrams(),
  encoding: encoding.value,
  refused: refused.value
})

export const recall = async (parameters: ReadonlyMap<string, string>): Promise<void> => {
  const given = await unpackDatagrams(parameters.get("d") ?? "")
  if (given === undefined) {
    outcome.value = { ok: false, text: "The link is damaged: its datagrams cannot be read." }
    return
  }
  encoding.value = (parameters.get("enc") as Encoding | undefined) ?? "auto"
  const row = parameters.get("r")
  await show(given, `From the link: ${plural(given.length, "datagram")}.`, {
    row: row === undefined ? undefined : Number(row),
    field: parameters.get("f")
  })
}
