/**
 * The functions of Linux's C library that batching requires, called over the foreign function interface of the runtime: `bun:ffi`,
 * `Deno.dlopen`, `node:ffi`. If the runtime requires a permission or a flag for this interface, this module uses the interface only if the
 * user has already granted the permission or set the flag. This module never prompts the user.
 */

/** The types of the arguments of each function. All these functions return an `int`, which is −1 after an error. */
const SIGNATURES = {
  getsockname: ["i32", "pointer", "pointer"],
  getsockopt: ["i32", "i32", "i32", "pointer", "pointer"],
  setsockopt: ["i32", "i32", "i32", "pointer", "u32"],
  sendmmsg: ["i32", "pointer", "u32", "i32"],
  recvmmsg: ["i32", "pointer", "u32", "i32", "pointer"]
} as const satisfies Readonly<Record<string, ReadonlyArray<ArgumentType>>>

/** Type of an argument. For a `pointer`, callers pass the bytes to which the pointer points, or `null`. */
type ArgumentType = "i32" | "u32" | "pointer"

/**
 * The functions of the C library. Each function has a manual page with the same name, for example sendmmsg(2); see also socket(7) and
 * udp(7). No call blocks, because the sockets of the runtimes are non-blocking.
 */
export interface SystemCalls {
  readonly getsockname: (fd: number, address: Uint8Array, length: Uint8Array) => number
  readonly getsockopt: (fd: number, level: number, option: number, value: Uint8Array, length: Uint8Array) => number
  readonly setsockopt: (fd: number, level: number, option: number, value: Uint8Array, length: number) => number
  readonly sendmmsg: (fd: number, headers: Uint8Array, count: number, flags: number) => number
  readonly recvmmsg: (fd: number, headers: Uint8Array, count: number, flags: number, timeout: null) => number
  /** Returns the address of the bytes, as a pointer for C. The pointer is valid while the bytes are referenced. */
  readonly getPointer: (bytes: Uint8Array) => bigint
}

/** The parts of the runtimes' foreign function interfaces that this module uses, as of Node 26, Deno 2.9 and Bun 1.4. */
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

/**
 * The file name of glibc. The C library musl is not supported: the name of its file is different, and its `sendmmsg` is not a single system
 * call.
 */
const LIBRARY = "libc.so.6"

/** Converts the signatures to the format that the `dlopen` of a runtime requires. */
const buildSymbols = (args: string, result: string, int: string, words: Readonly<Record<ArgumentType, string>>) =>
  Object.fromEntries(
    Object.entries(SIGNATURES).map(([name, types]) => [name, { [args]: types.map((t) => words[t]), [result]: int }])
  )

/** Loads a built-in module. An `import` of another runtime's module would break bundlers. */
const builtin = (name: string): unknown => process.getBuiltinModule?.(name)

const onBun = (): SystemCalls => {
  const ffi = builtin("bun:ffi") as BunInterface
  const words = { i32: "i32", u32: "u32", pointer: "ptr" }
  const { symbols } = ffi.dlopen(LIBRARY, buildSymbols("args", "returns", "i32", words))
  return { ...(symbols as SystemCalls), getPointer: (bytes) => BigInt(ffi.ptr(bytes)) }
}

const onDeno = ({ UnsafePointer, dlopen, permissions }: DenoInterface): SystemCalls => {
  if (permissions.querySync({ name: "ffi" }).state !== "granted") throw new Error("Deno runs without --allow-ffi")
  const words = { i32: "i32", u32: "u32", pointer: "buffer" }
  const { symbols } = dlopen(LIBRARY, buildSymbols("parameters", "result", "i32", words))
  return { ...(symbols as SystemCalls), getPointer: (bytes) => UnsafePointer.value(UnsafePointer.of(bytes)) }
}

const FLAG = "--experimental-ffi"

const onNode = (): SystemCalls => {
  // Without this flag, Node 26 also provides `node:ffi`, but prints a warning about an experimental feature.
  if (!`${process.execArgv.join(" ")} ${process.env["NODE_OPTIONS"]}`.includes(FLAG)) {
    throw new Error(`Node runs without ${FLAG}`)
  }
  const ffi = builtin("node:ffi") as NodeInterface
  const words = { i32: "int32", u32: "uint32", pointer: "buffer" }
  const { functions } = ffi.dlopen(LIBRARY, buildSymbols("arguments", "return", "int32", words))
  return { ...(functions as SystemCalls), getPointer: ffi.getRawPointer }
}

/** The runtimes for which Sourcewire has a transport. */
export type Runtime = "bun" | "deno" | "node"

/** The runtime of this process. */
export const runtime: Runtime = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node"

const load = (): SystemCalls => {
  // The types of Deno's globals are not installed.
  if (runtime === "deno") return onDeno((globalThis as unknown as { readonly Deno: DenoInterface }).Deno)
  return runtime === "bun" ? onBun() : onNode()
}

/**
 * Returns the system calls, or a sentence with the reason why the system calls are not available. Only x64 is supported, because the memory
 * layouts are not tested on other processors.
 */
export const findSystemCalls = (
  loaded = load,
  { arch, platform }: Pick<NodeJS.Process, "arch" | "platform"> = process
): SystemCalls | string => {
  if (platform !== "linux" || arch !== "x64")
    return `Batched system calls require Linux on x64, but this process runs on ${platform} (${arch}).`
  try {
    return loaded()
  } catch (error) {
    return `The C library cannot be called: ${error instanceof Error ? error.message : String(error)}.`
  }
}
