/**
 * The functions of Linux's C library that batches need, as a runtime's foreign function interface is asked for them. See `Batching`.
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
} as const satisfies Readonly<Record<string, ReadonlyArray<ArgumentType>>>

/** Type of an argument; a `pointer` is given as the bytes that it points to, or `null`. */
export type ArgumentType = "i32" | "u32" | "pointer"

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
