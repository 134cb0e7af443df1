/**
 * Functions of the C library on Deno. It takes `--allow-ffi`; without it nobody is asked, since there is another way.
 *
 * @module
 */
import type { LoadLibrary, SystemCalls, ArgumentType } from "@sourcewire/transport-node/batching"
import { SIGNATURES } from "@sourcewire/transport-node/batching"

/** The part of Deno 2.9 that this needs; a pointer is an object, and `null` where C has a null pointer. */
interface ForeignFunctions {
  readonly permissions: { readonly querySync: (permission: { readonly name: "ffi" }) => { readonly state: string } }
  readonly dlopen: (
    library: string,
    symbols: Readonly<Record<string, { readonly parameters: ReadonlyArray<string>; readonly result: "i32" }>>
  ) => { readonly symbols: unknown }
  readonly UnsafePointer: {
    readonly of: (bytes: Uint8Array) => object | null
    readonly value: (pointer: object | null) => bigint
  }
}

const NAMES: Readonly<Record<ArgumentType, string>> = { i32: "i32", u32: "u32", pointer: "buffer" }

/** Throws outside Deno, and without the permission. */
export const load: LoadLibrary = (library) => {
  const { Deno: deno } = globalThis as { readonly Deno?: ForeignFunctions }
  if (deno === undefined) throw new Error("this is not Deno")
  if (deno.permissions.querySync({ name: "ffi" }).state !== "granted") throw new Error("it takes --allow-ffi")
  const { UnsafePointer } = deno
  const { symbols } = deno.dlopen(
    library,
    Object.fromEntries(
      Object.entries(SIGNATURES).map(([name, types]) => [
        name,
        { parameters: types.map((type) => NAMES[type]), result: "i32" }
      ])
    )
  )
  return {
    ...(symbols as Omit<SystemCalls, "pointerOf">),
    pointerOf: (bytes) => UnsafePointer.value(UnsafePointer.of(bytes))
  }
}
