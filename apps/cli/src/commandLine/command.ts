/** A command of the program: its flags, its help, and how to come by what does its work. */
import type * as Effect from "effect/Effect"
import type { Flags, Settings } from "../options.ts"
import type { Output } from "../output/output.ts"
import { isFlag } from "./plain.ts"

export type Run<S> = (settings: S) => Effect.Effect<void, unknown, Output>

/** What help says of a command, and what it takes. */
interface Declaration<F extends Flags> {
  readonly name: string
  readonly description: string
  /** Command lines, and what each does. */
  readonly examples: Readonly<Record<string, string>>
  readonly flags: F
}

export interface Command extends Declaration<Flags> {
  /** Loads what runs it with the settings that were read by its flags. */
  readonly load: () => Promise<Run<unknown>>
}

const named = (flags: Flags): Flags =>
  Object.fromEntries(
    Object.entries(flags).map(([key, one]) => {
      if (!isFlag(one)) return [key, named(one)]
      return [key, one.name === "" ? { ...one, name: key.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`) } : one]
    })
  )

/** A command that runs by what `load` imports, so that no command loads another's code, and help loads none. */
export const command = <F extends Flags>(
  declaration: Declaration<F>,
  load: () => Promise<Run<Settings<F>>>
): Command => ({ ...declaration, flags: named(declaration.flags), load: load as () => Promise<Run<unknown>> })
