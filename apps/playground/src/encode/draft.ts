/**
 * The message that the user edits, as plain JSON. The message can be invalid while the user edits it. For example, if the user types
 * letters in the input for a number, the message contains these letters as text. A 64-bit number is always stored as text.
 */
import { batch, computed, effect, signal } from "@preact/signals"
import { type EncodeError, type Message, decode, encode } from "@sourcewire/protocol"
import { findDeclaration } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { ofMessage } from "@sourcewire/ui/analysis"
import { packBytes, unpackBytes } from "@sourcewire/ui/bytes"
import { readExample, examples } from "../examples/examples.ts"
import { forget, makeInspection } from "@sourcewire/ui/inspector"
import { type Values, go, linkTo } from "../state/address.ts"
import { step } from "../state/steps.ts"
import { type Draft, type SetKey, makeBlank, settle, withKey } from "./draftFields.ts"

/** The initial draft for a type of message: the content of an example of this type, or an empty draft if there is no example. */
export const startingPoint = (chosen: string): Draft => {
  const example = examples.find(({ startsFormOf }) => startsFormOf === chosen)
  if (example === undefined) return makeBlank(findDeclaration(chosen)?.fields ?? [])
  const { _tag, ...fields } = Result.getOrThrow(decode(readExample(example.id)[0]!.bytes))
  return fields
}

const FIRST_TAG = "InfoReply"

export const tag = signal(FIRST_TAG)

export const fields = signal<Draft>(startingPoint(FIRST_TAG))

/** The draft with its tag. The draft may be invalid, so the encoder may reject this message. */
export const message = computed((): Message => ({ _tag: tag.value, ...fields.value }) as Message)

export const encoded = computed((): Result.Result<Uint8Array, EncodeError> => encode(message.value))

/** The bytes of the last valid draft. The page shows these bytes while the current draft is invalid. */
export const lastBytes = signal<Uint8Array>(new Uint8Array(0))

effect(() => {
  if (Result.isSuccess(encoded.value)) lastBytes.value = encoded.value.success
})

export const inspection = makeInspection(
  computed(() => ofMessage({ title: "Datagram", bytes: lastBytes.value, kind: "datagram" }, "auto"))
)

const set = (chosen: string, draft: Draft): void =>
  batch(() => {
    tag.value = chosen
    fields.value = draft
    forget(inspection)
  })

const beginStep = (of?: string): void => {
  step(() => {
    const [beforeTag, before] = [tag.value, fields.value]
    return () => set(beforeTag, before)
  }, of)
}

/** Replaces the draft with the initial draft for the chosen type of message. */
export const chooseTag = (chosen: string): void => {
  beginStep()
  set(chosen, startingPoint(chosen))
}

export const blank = (): void => {
  beginStep()
  fields.value = makeBlank(findDeclaration(tag.value)!.fields)
}

/**
 * Changes a field of the message. If the new value requires other fields, the function adds these fields. If the new value excludes other
 * fields, the function removes these fields.
 */
export const setTop: SetKey = (name, value) => {
  beginStep(name)
  fields.value = settle(findDeclaration(tag.value)!.fields, withKey(fields.value, name, value))
}

/** Opens a decoded message for editing. */
export const editMessage = ({ _tag, ...rest }: Message): void => {
  set(_tag, rest)
  go("encode")
}

/** The draft as parameters of a link. `undefined` if the draft is too large for a link. */
export const save = async (): Promise<Values | undefined> => {
  const packed = await packBytes(new TextEncoder().encode(JSON.stringify(message.value)))
  return packed === undefined ? undefined : { m: packed }
}

/** A URL that opens the page with this draft. If the draft is too large for a link, the URL opens the page without this draft. */
export const link = async (): Promise<string> => linkTo("encode", (await save()) ?? {})

/** Reads the draft from the parameters of a link. If the parameters are damaged, the draft does not change. */
export const recall = async (parameters: ReadonlyMap<string, string>): Promise<void> => {
  const bytes = await unpackBytes(parameters.get("m") ?? "")
  try {
    const { _tag, ...rest } = JSON.parse(new TextDecoder().decode(bytes)) as Draft
    if (findDeclaration(String(_tag)) !== undefined) set(String(_tag), rest)
  } catch {
    // The text is not JSON, or the JSON is not an object.
  }
}
