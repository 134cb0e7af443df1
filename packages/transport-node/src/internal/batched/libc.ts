/**
 * Functions of the C library on Node, which has had `node:ffi` since its version 26, as an experiment that it warns of.
 *
 * @module
 */
import type { LoadLibrary, SystemCalls, ArgumentType } from "../../SystemCalls.ts"
import { SIGNATURES } from "../../SystemCalls.ts"

/** The part of Node 26's `node:ffi` that this needs. */
interface ForeignFunctions {
  readonly dlopen: (
    library: string,
    symbols: Readonly<Record<string, { readonly arguments: ReadonlyArray<string>; readonly return: "int32" }>>
  ) => { readonly functions: unknown }
  readonly getRawPointer: (bytes: Uint8Array) => bigint
}

const NAMES: Readonly<Record<ArgumentType, string>> = { i32: "int32", u32: "uint32", pointer: "buffer" }

/** Throws on a Node without it. */
export const load: LoadLibrary = (library) => {
  const ffi = process.getBuiltinModule("node:ffi") as ForeignFunctions | undefined
  if (ffi === undefined) throw new Error(`Node ${process.versions.node} has no node:ffi`)
  const { functions } = ffi.dlopen(
    library,
    Object.fromEntries(
      Object.entries(SIGNATURES).map(([name, types]) => [
        name,
        { arguments: types.map((type) => NAMES[type]), return: "int32" }
      ])
    )
  )
  return { ...(functions as Omit<SystemCalls, "pointerOf">), pointerOf: ffi.getRawPointer }
}
