/**
 * Every command of the program, in the order in which help lists them. A command is one file beside this one that declares its name,
 * flags, help and examples, and loads what does the work when it runs.
 *
 * @module
 */
import { decode } from "./decode.ts"

/** The commands. */
export const commands = [decode] as const
