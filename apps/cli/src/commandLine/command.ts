/** A command of the program: its flags, its help, and how to come by what does its work. */
import type * as Effect from "effect/Effect"
import type { Flags, Settings } from "../options.ts"
import type { Output } from "../output/output.ts"

export type Run<S> = (settings: S) => Effect.Effect<void, unknown, Output>

interface Declaration<F extends Flags, S> {
  readonly description: string
  /** Command lines, and what each does. */
  readonly examples: Readonly<Record<string, string>>
  readonly flags: F
  /** Imports what runs it with the settings that were read by its flags, so that no command loads another's code, and help loads none. */
  readonly load: () => Promise<Run<S>>
}

export type Command = Declaration<Flags, unknown>

/** Commands by their names. */
export type Commands = Readonly<Record<string, Command>>

const withNames = (flags: Flags): Flags =>
  Object.fromEntries(
    Object.entries(flags).map(([key, one]) => [
      key,
      { ...one, name: one.name || key.replaceAll(/[A-Z]/g, (c) => `-${c.toLowerCase()}`) }
    ])
  )

export const command = <F extends Flags>(declared: Declaration<F, Settings<F>>): Command => ({
  ...declared,
  flags: withNames(declared.flags),
  load: declared.load as () => Promise<Run<unknown>>
})
