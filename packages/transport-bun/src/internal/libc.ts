/**
 * Functions of the C library on Bun.
 *
 * @module
 */
import type { LoadLibrary, SystemCalls, ArgumentType } from "@sourcewire/transport-node/batching"
import { SIGNATURES } from "@sourcewire/transport-node/batching"

/** The part of Bun 1.4's `bun:ffi` that this needs. */
interface ForeignFunctions {
  readonly dlopen: (
    library: string,
    symbols: Readonly<Record<string, { readonly args: ReadonlyArray<string>; readonly returns: "i32" }>>
  ) => { readonly symbols: unknown }
  readonly ptr: (bytes: Uint8Array) => number
}

/** An `import` of Bun's own module would keep bundlers for others from their work. */
interface Builtins {
  readonly getBuiltinModule?: (name: "bun:ffi") => ForeignFunctions | undefined
}

const NAMES: Readonly<Record<ArgumentType, string>> = { i32: "i32", u32: "u32", pointer: "ptr" }

/** Throws outside Bun. */
export const load: LoadLibrary = (library) => {
  const ffi = (globalThis as { readonly process?: Builtins }).process?.getBuiltinModule?.("bun:ffi")
  if (ffi === undefined) throw new Error("this is not Bun")
  const { symbols } = ffi.dlopen(
    library,
    Object.fromEntries(
      Object.entries(SIGNATURES).map(([name, types]) => [
        name,
        { args: types.map((type) => NAMES[type]), returns: "i32" }
      ])
    )
  )
  return { ...(symbols as Omit<SystemCalls, "pointerOf">), pointerOf: (bytes) => BigInt(ffi.ptr(bytes)) }
}
