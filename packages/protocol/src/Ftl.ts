/**
 * Excludes functions from the last compiler of Bun. JavaScriptCore compiles a hot function up to four times; the last compiler, FTL, uses
 * milliseconds of processor time on another thread. In code with a system call every few microseconds, the compiled function never saves as
 * much time as its compilation has used. On one CPU, FTL took half the time of a scan of 10 000 servers, and later scans were no faster
 * (docs/benchmarks/scan.md).
 *
 * @example
 * import { withoutFtl } from "@sourcewire/protocol/wire"
 * class Counter {
 *   private count = 0
 *   onDatagram(): void {
 *     this.count++
 *   }
 * }
 * const spareCompiler = withoutFtl(() => [Counter])
 * spareCompiler() // before the first datagram
 * new Counter().onDatagram()
 */
import { demandFunction } from "./internal/edge.ts"

/** A function with any parameters. */
export type AnyFunction = (...args: never) => unknown
/** A class with any constructor. */
export type AnyClass = abstract new (...args: never) => unknown

/** An `import` of Bun's own module would break bundlers for other runtimes. */
interface Builtins {
  readonly getBuiltinModule?: (name: "bun:jsc") => { readonly noFTL?: (code: object) => void } | undefined
}

const listMethods = (code: AnyFunction | AnyClass): ReadonlyArray<object> =>
  Object.values(Object.getOwnPropertyDescriptors((code.prototype ?? {}) as object))
    .flatMap(({ get, value }: PropertyDescriptor) => [get, value as unknown])
    .filter((member) => typeof member === "function")

/**
 * Returns a function that excludes the listed functions, and the methods of the listed classes, from FTL. Only the first call of the
 * returned function has an effect, so that unused modules take no time. On other runtimes, the function has no effect.
 */
export const withoutFtl = (list: () => ReadonlyArray<AnyFunction | AnyClass>): (() => void) => {
  demandFunction(list, "list")
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    const noFTL = (globalThis as { readonly process?: Builtins }).process?.getBuiltinModule?.("bun:jsc")?.noFTL
    if (noFTL === undefined) return
    for (const code of list()) for (const each of [code, ...listMethods(code)]) noFTL(each)
  }
}
