/** A command of the program: its flags, its help, and the module that does its work. */
import type * as Effect from "effect/Effect"
import { type Flags, type Settings, named } from "../options.ts"
import type { Output } from "../output/output.ts"

export type Run<S> = (settings: S) => Effect.Effect<void, unknown, Output>

/** The groups in which help lists the commands, in this order. */
export const GROUPS = ["Query", "Find", "Run", "Develop"] as const

interface Declaration<F extends Flags, S> {
  readonly group: (typeof GROUPS)[number]
  readonly description: string
  /** Example command lines, each with its description. */
  readonly examples: Readonly<Record<string, string>>
  readonly flags: F
  /** Whether the command runs until it is stopped. Such a command ends normally on SIGTERM, with exit code 0. */
  readonly isDaemon?: boolean
  /**
   * Imports the code of the command. The program calls this function only to run the command, so that help does not load the code of
   * commands.
   */
  readonly load: () => Promise<Run<S>>
}

export type Command = Declaration<Flags, unknown>

/** Commands by their names. */
export type Commands = Readonly<Record<string, Command>>

export const command = <F extends Flags>(declared: Declaration<F, Settings<F>>): Command => ({
  ...declared,
  flags: named(declared.flags),
  load: declared.load as () => Promise<Run<unknown>>
})
