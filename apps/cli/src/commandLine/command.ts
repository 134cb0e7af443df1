/** The declaration of a command: its help, its flags, and a function that imports its code. */
import type * as Effect from "effect/Effect"
import { type Flags, type Settings, named } from "../options.ts"
import type { Output } from "../output/output.ts"

export type Run<S> = (settings: S) => Effect.Effect<void, unknown, Output>

/** The groups of commands, in the order in which the help lists these groups. */
export const GROUPS = ["Query", "Find", "Run", "Develop"] as const

interface Declaration<F extends Flags, S> {
  readonly group: (typeof GROUPS)[number]
  readonly description: string
  /** Maps each example command line to its description. */
  readonly examples: Readonly<Record<string, string>>
  readonly flags: F
  /** Whether the command is a daemon, which runs until it is stopped. If a daemon receives SIGTERM, it ends with exit code 0. */
  readonly isDaemon?: boolean
  /**
   * Imports the code of the command. The program calls this function only when it runs the command. Therefore the help does not load the
   * code of any command.
   */
  readonly load: () => Promise<Run<S>>
}

export type Command = Declaration<Flags, unknown>

/** Maps the name of each command to its declaration. */
export type Commands = Readonly<Record<string, Command>>

export const command = <F extends Flags>(declared: Declaration<F, Settings<F>>): Command => ({
  ...declared,
  flags: named(declared.flags),
  load: declared.load as () => Promise<Run<unknown>>
})
