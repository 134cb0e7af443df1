/**
 * The message that is being built: plain JSON, so that it may be wrong for a while. Numbers that cannot be read stay the text that was
 * typed, 64-bit numbers are always text.
 */
import { batch, computed, effect, signal } from "@preact/signals"
import { type EncodeError, type Message, decode, encode } from "@sourcewire/protocol"
import { findDeclaration } from "@sourcewire/protocol/wire"
import * as Result from "effect/Result"
import { ofMessage } from "@sourcewire/ui/analysis"
import { packBytes, unpackBytes } from "@sourcewire/ui/bytes"
import { datagramsOf, examples } from "../examples/examples.ts"
import { forget, makeInspection } from "@sourcewire/ui/inspector"
import { type Values, go, linkTo } from "../state/address.ts"
import { step } from "../state/steps.ts"
import { type Draft, type SetKey, blankOf, settle, withKey } from "./draftFields.ts"

/** The first contents of a form: an example if there is one, otherwise an empty message. */
export const startingPoint = (chosen: string): Draft => {
  const example = examples.find(({ startsFormOf }) => startsFormOf === chosen)
  if (example === undefined) return blankOf(findDeclaration(chosen)?.fields ?? [])
  const { _tag, ...fields } = Result.getOrThrow(decode(datagramsOf(example.id)[0]!.bytes))
  return fields
}

const FIRST_TAG = "InfoReply"

export const tag = signal(FIRST_TAG)

export const fields = signal<Draft>(startingPoint(FIRST_TAG))

/** The draft as a message, which may still be impossible to write. */
export const message = computed((): Message => ({ _tag: tag.value, ...fields.value }) as Message)

export const encoded = computed((): Result.Result<Uint8Array, EncodeError> => encode(message.value))

/** The last bytes that there were: shown while a value is wrong. */
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

/** Starts another message, from an example where there is one. */
export const chooseTag = (chosen: string): void => {
  beginStep()
  set(chosen, startingPoint(chosen))
}

export const blank = (): void => {
  beginStep()
  fields.value = blankOf(findDeclaration(tag.value)!.fields)
}

/** Changes a field of the message itself; fields that it demands or forbids follow. */
export const setTop: SetKey = (name, value) => {
  beginStep(name)
  fields.value = settle(findDeclaration(tag.value)!.fields, withKey(fields.value, name, value))
}

/** Turns a decoded message into one to edit, and shows it. */
export const editMessage = ({ _tag, ...rest }: Message): void => {
  set(_tag, rest)
  go("encode")
}

/** The draft as parameters of a link; `undefined` when it is too large for one. */
export const save = async (): Promise<Values | undefined> => {
  const packed = await packBytes(new TextEncoder().encode(JSON.stringify(message.value)))
  return packed === undefined ? undefined : { m: packed }
}

/** The address of the page with this draft; without it when it is too large. */
export const link = async (): Promise<string> => linkTo("encode", (await save()) ?? {})

/** Takes the draft from parameters; a damaged link leaves it as it is. */
export const recall = async (parameters: ReadonlyMap<string, string>): Promise<void> => {
  const bytes = await unpackBytes(parameters.get("m") ?? "")
  try {
    const { _tag, ...rest } = JSON.parse(new TextDecoder().decode(bytes)) as Draft
    if (findDeclaration(String(_tag)) !== undefined) set(String(_tag), rest)
  } catch {
    // No JSON, or none of an object.
  }
}
