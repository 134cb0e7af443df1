/**
 * The functions of Linux's C library that batches need, as a runtime's foreign function interface is asked for them, and whether they
 * can be had here.
 *
 * @module
 */

/** By name, the types of the arguments; each returns an `int`, -1 for an error. */
export const SIGNATURES = {
  getsockname: ["i32", "pointer", "pointer"],
  getsockopt: ["i32", "i32", "i32", "pointer", "pointer"],
  setsockopt: ["i32", "i32", "i32", "pointer", "u32"],
  sendmmsg: ["i32", "pointer", "u32", "i32"],
  recvmmsg: ["i32", "pointer", "u32", "i32", "pointer"]
} as const satisfies Readonly<Record<string, ReadonlyArray<Type>>>

/** Type of an argument; a `pointer` is given as the bytes that it points to, or `null`. */
export type Type = "i32" | "u32" | "pointer"

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

/** Opens a library; throws an `Error` that says why it cannot. */
export type LoadLibrary = (library: string) => SystemCalls

/** The name that glibc has. musl has another, and its `sendmmsg` is no system call. */
const LIBRARY = "libc.so.6"

/** Those with 64 bits and the layouts of messages.ts. */
const ARCHITECTURES: ReadonlySet<string> = new Set(["x64", "arm64"])

/** The calls, or a sentence that says why there are none. */
export const findSystemCalls = (load: LoadLibrary): SystemCalls | string => {
  const { arch, platform } = process
  if (platform !== "linux") return `Batched system calls are Linux's, and this is ${platform}.`
  if (!ARCHITECTURES.has(arch)) return `Batched system calls are known for x64 and arm64, and this is ${arch}.`
  try {
    return load(LIBRARY)
  } catch (error) {
    return `The C library cannot be called: ${error instanceof Error ? error.message : String(error)}.`
  }
}
