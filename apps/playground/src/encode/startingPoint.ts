/** What the form shows when a message is chosen: an example where there is one, so that a form is never a riddle. */
import { decode } from "@sourcewire/protocol"
import { declarationOf } from "@sourcewire/protocol/machines"
import * as Result from "effect/Result"
import { datagramsOf, examples } from "../examples/examples.ts"
import { type Draft, blankOf } from "./draftFields.ts"

export const startingPoint = (tag: string): Draft => {
  const example = examples.find(({ startsFormOf }) => startsFormOf === tag)
  if (example === undefined) return blankOf(declarationOf(tag)?.fields ?? [])
  const { _tag, ...fields } = Result.getOrThrow(decode(datagramsOf(example.id)[0]!.bytes))
  return fields
}
