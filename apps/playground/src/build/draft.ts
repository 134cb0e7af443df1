/**
 * The message that is being built: plain JSON, so that it may be wrong for a while. Numbers that cannot be read stay the text that was
 * typed, 64-bit numbers are always text.
 *
 * @module
 */
import { batch, computed, effect, signal } from "@preact/signals"
import type { EncodeError, Message } from "@sourcewire/protocol"
import { encode } from "@sourcewire/protocol"
import * as Result from "effect/Result"
import { ofMessage } from "../analysis/anatomise.ts"
import { codecOf } from "../analysis/codecs.ts"
import { packBytes, unpackBytes } from "../bytes/share.ts"
import { makeInspection } from "../inspector/inspection.ts"
import { fragment, go, rememberState, tab } from "../state/address.ts"
import { startingPoint } from "./startingPoint.ts"
import { blankOf, type Draft, type SetKey, settle, withKey } from "./draftFields.ts"

const FIRST_TAG = "InfoReply"

/** Which message. */
export const tag = signal(FIRST_TAG)

/** Its fields. */
export const fields = signal<Draft>(startingPoint(FIRST_TAG))

/** The draft as a message, which may still be impossible to write. */
export const message = computed((): Message => ({ _tag: tag.value, ...fields.value }) as unknown as Message)

/** Its bytes, or why it has none. */
export const encoded = computed((): Result.Result<Uint8Array, EncodeError> => encode(message.value))

/** The last bytes that there were: shown while a value is wrong. */
export const lastBytes = signal<Uint8Array>(new Uint8Array(0))

effect(() => {
  if (Result.isSuccess(encoded.value)) lastBytes.value = encoded.value.success
})

/** Links the form with the bytes. */
export const inspection = makeInspection(computed(() => ofMessage(lastBytes.value, "Datagram", "auto")))

/** Starts another message, from an example where there is one. */
export const chooseTag = (chosen: string): void =>
  batch(() => {
    tag.value = chosen
    fields.value = startingPoint(chosen)
    inspection.chosen.value = undefined
    inspection.cursor.value = undefined
  })

/** Empties every field. */
export const blank = (): void => {
  const codec = codecOf(tag.value)
  if (codec !== undefined) fields.value = blankOf(codec.declaration.fields)
}

/** Changes the draft; fields that others demand or forbid follow. */
export const change = (changed: Draft): void => {
  const codec = codecOf(tag.value)
  fields.value = codec === undefined ? changed : settle(codec.declaration.fields, changed)
}

/** Changes a field of the message itself. */
export const setTop: SetKey = (name, value) => change(withKey(fields.value, name, value))

/** Turns a decoded message into one to edit, and shows it. */
export const editInBuild = (decoded: Message): void => {
  set(JSON.parse(JSON.stringify(decoded)) as Draft)
  go("build")
}

const set = ({ _tag, ...rest }: Draft): void =>
  batch(() => {
    tag.value = String(_tag)
    fields.value = rest
    inspection.chosen.value = undefined
    inspection.cursor.value = undefined
  })

let remembered = ""

const pack = (): Promise<string | undefined> =>
  packBytes(new TextEncoder().encode(JSON.stringify({ _tag: tag.value, ...fields.value })))

/** Keeps the draft in the address. */
export const remember = async (): Promise<void> => {
  const packed = await pack()
  if (packed === undefined || tab.value !== "build") return
  remembered = packed
  rememberState("build", { m: packed })
}

/** The address of the page with this draft; without it when it is too large. */
export const link = async (): Promise<string> => new URL(fragment("build", { m: await pack() }), location.href).href

/** Takes the draft from the address, if there is one that is not shown already. */
export const recall = async (parameters: ReadonlyMap<string, string>): Promise<void> => {
  const packed = parameters.get("m")
  if (packed === undefined || packed === remembered) return
  remembered = packed
  const bytes = await unpackBytes(packed)
  if (bytes === undefined) return
  try {
    const draft: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof draft !== "object" || draft === null || !("_tag" in draft)) return
    if (codecOf(String(draft._tag)) !== undefined) set(draft as Draft)
  } catch {
    // A damaged link: the draft stays as it is.
  }
}
