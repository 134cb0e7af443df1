/** The addresses that a command is to ask, from arguments and from a file. */
import { type Address, formatAddress, parseAddress } from "@sourcewire/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { createReadStream } from "node:fs"
import { isBlankOrComment, linesOf } from "../lines.ts"
import { type ProgramError, UsageError, cannotRead } from "../exitCode.ts"

/** One server to ask. */
export interface Target {
  readonly address: Address
  /** The address as results name it: always with its port. */
  readonly name: string
}

const targetOf = (text: string, where: string): Result.Result<Target, UsageError> =>
  Result.match(parseAddress(text), {
    onSuccess: (address) => Result.succeed({ address, name: formatAddress(address) }),
    onFailure: ({ message }) => Result.fail(new UsageError({ message: where + message }))
  })

/** The lines of a file that hold something, with their numbers. */
const entriesOf = (file: string) =>
  Effect.tryPromise({
    try: async () => {
      const entries: Array<{ readonly text: string; readonly number: number }> = []
      let number = 0
      for await (const line of linesOf(file === "-" ? process.stdin : createReadStream(file))) {
        number++
        if (line !== undefined && !isBlankOrComment(line)) entries.push({ text: line.trim(), number })
      }
      return entries
    },
    catch: cannotRead(file)
  })

/** Every target in order. Each is checked before any is asked, so that a typing error costs nobody a query. */
export const targetsOf = Effect.fnUntraced(function* (
  addresses: ReadonlyArray<string>,
  file: Option.Option<string>
): Effect.fn.Return<ReadonlyArray<Target>, UsageError | ProgramError> {
  const targets: Array<Target> = []
  for (const text of addresses) targets.push(yield* Effect.fromResult(targetOf(text, "")))
  if (Option.isSome(file)) {
    for (const { number, text } of yield* entriesOf(file.value)) {
      targets.push(yield* Effect.fromResult(targetOf(text, `${file.value}, line ${number}: `)))
    }
  } else if (targets.length === 0) {
    return yield* new UsageError({
      message: "There is nobody to ask. Give at least one address, or a list with --file."
    })
  }
  return targets
})
