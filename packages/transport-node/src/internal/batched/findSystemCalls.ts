/**
 * Whether system calls can be batched here.
 *
 * @module
 */
import type { LoadLibrary, SystemCalls } from "../../SystemCalls.ts"

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
