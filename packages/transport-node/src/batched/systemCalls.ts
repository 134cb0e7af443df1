/**
 * The functions of Linux's C library that batches need, over the foreign function interface of the runtime that this runs on:
 * `bun:ffi`, `Deno.dlopen`, `node:ffi`. An interface is used where the user has allowed it already: nobody is asked for a permission.
 */

/** By name, the types of the arguments; each returns an `int`, -1 for an error. */
const SIGNATURES = {
  getsockname: ["i32", "pointer", "pointer"],
  getsockopt: ["i32", "i32", "i32", "pointer", "pointer"],
  setsockopt: ["i32", "i32", "i32", "pointer", "u32"],
  sendmmsg: ["i32", "pointer", "u32", "i32"],
  recvmmsg: ["i32", "pointer", "u32", "i32", "pointer"]
} as const satisfies Readonly<Record<string, ReadonlyArray<ArgumentType>>>

/** Type of an argument; a `pointer` is given as the bytes that it points to, or `null`. */
type ArgumentType = "i32" | "u32" | "pointer"

/** See the manual pages of the same names, socket(7) and udp(7). All calls return at once: the sockets of runtimes never block. */
export interface SystemCalls {
  readonly getsockname: (fd: number, address: Uint8Array, length: Uint8Array) => number
  readonly getsockopt: (fd: number, level: number, option: number, value: Uint8Array, length: Uint8Array) => number
  readonly setsockopt: (fd: number, level: number, option: number, value: Uint8Array, length: number) => number
  readonly sendmmsg: (fd: number, headers: Uint8Array, count: number, flags: number) => number
  readonly recvmmsg: (fd: number, headers: Uint8Array, count: number, flags: number, timeout: null) => number
  /** Where the bytes are, as a number that C takes for a pointer. It is good for as long as they are referenced. */
  readonly pointerOf: (bytes: Uint8Array) => bigint
}

/** The part of each runtime that this needs: Node 26, Deno 2.9, Bun 1.4. */
interface NodeInterface {
  readonly dlopen: (library: string, symbols: unknown) => { readonly functions: unknown }
  readonly getRawPointer: (bytes: Uint8Array) => bigint
}
interface DenoInterface {
  readonly permissions: { readonly querySync: (permission: { readonly name: "ffi" }) => { readonly state: string } }
  readonly dlopen: (library: string, symbols: unknown) => { readonly symbols: unknown }
  readonly UnsafePointer: {
    readonly of: (bytes: Uint8Array) => object | null
    readonly value: (pointer: object | null) => bigint
  }
}
interface BunInterface {
  readonly dlopen: (library: string, symbols: unknown) => { readonly symbols: unknown }
  readonly ptr: (bytes: Uint8Array) => number
}

/** The name that glibc has. musl has another, and its `sendmmsg` is no system call. */
const LIBRARY = "libc.so.6"

/** The signatures in the words of a runtime. */
const symbolsIn = (args: string, result: string, int: string, words: Readonly<Record<ArgumentType, string>>) =>
  Object.fromEntries(
    Object.entries(SIGNATURES).map(([name, types]) => [name, { [args]: types.map((t) => words[t]), [result]: int }])
  )

/** An `import` of a runtime's own module would keep bundlers for others from their work. */
const builtin = (name: string): unknown => process.getBuiltinModule?.(name)

const onBun = (): SystemCalls => {
  const ffi = builtin("bun:ffi") as BunInterface
  const words = { i32: "i32", u32: "u32", pointer: "ptr" }
  const { symbols } = ffi.dlopen(LIBRARY, symbolsIn("args", "returns", "i32", words))
  return { ...(symbols as SystemCalls), pointerOf: (bytes) => BigInt(ffi.ptr(bytes)) }
}

const onDeno = ({ UnsafePointer, dlopen, permissions }: DenoInterface): SystemCalls => {
  if (permissions.querySync({ name: "ffi" }).state !== "granted") throw new Error("Deno runs without --allow-ffi")
  const words = { i32: "i32", u32: "u32", pointer: "buffer" }
  const { symbols } = dlopen(LIBRARY, symbolsIn("parameters", "result", "i32", words))
  return { ...(symbols as SystemCalls), pointerOf: (bytes) => UnsafePointer.value(UnsafePointer.of(bytes)) }
}

const FLAG = "--experimental-ffi"

const onNode = (): SystemCalls => {
  // Node 26 has it without the flag too, and then warns of an experiment that nobody asked for.
  if (!`${process.execArgv.join(" ")} ${process.env["NODE_OPTIONS"]}`.includes(FLAG)) {
    throw new Error(`Node runs without ${FLAG}`)
  }
  const ffi = builtin("node:ffi") as NodeInterface
  const words = { i32: "int32", u32: "uint32", pointer: "buffer" }
  const { functions } = ffi.dlopen(LIBRARY, symbolsIn("arguments", "return", "int32", words))
  return { ...(functions as SystemCalls), pointerOf: ffi.getRawPointer }
}

/** The runtimes that have transports of their own. */
export type Runtime = "bun" | "deno" | "node"

/** The one that this runs on. */
export const runtime: Runtime = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node"

const load = (): SystemCalls => {
  // The types of Deno's globals are not installed.
  if (runtime === "deno") return onDeno((globalThis as unknown as { readonly Deno: DenoInterface }).Deno)
  return runtime === "bun" ? onBun() : onNode()
}

/** The calls, or a sentence that says why there are none. The layouts are those of x64, and tested there. */
export const findSystemCalls = (
  loaded = load,
  { arch, platform }: Pick<NodeJS.Process, "arch" | "platform"> = process
): SystemCalls | string => {
  if (platform !== "linux" || arch !== "x64")
    return `Batched system calls are for Linux on x64, not ${platform} on ${arch}.`
  try {
    return loaded()
  } catch (error) {
    return `The C library cannot be called: ${error instanceof Error ? error.message : String(error)}.`
  }
}
