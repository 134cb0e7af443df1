/**
 * Excludes functions from FTL, the last of the compilers of JavaScriptCore, the JavaScript engine of Bun. To compile functions, FTL uses
 * milliseconds of processor time on a separate thread. If code makes a system call every few microseconds, the compiled code never saves as
 * much time as FTL has used. On one CPU, FTL took half the time of a scan of 10 000 servers, and later scans were no faster
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

/** The part of `process` that returns Bun's own module. An `import` of that module would break bundlers for other runtimes. */
interface Builtins {
  readonly getBuiltinModule?: (name: "bun:jsc") => { readonly noFTL?: (code: object) => void } | undefined
}

const listMethods = (code: AnyFunction | AnyClass): ReadonlyArray<object> =>
  Object.values(Object.getOwnPropertyDescriptors((code.prototype ?? {}) as object))
    .flatMap(({ get, value }: PropertyDescriptor) => [get, value as unknown])
    .filter((member) => typeof member === "function")

/**
 * Returns a function that excludes the listed functions, and the methods of the listed classes, from FTL. A module calls the returned
 * function when the module is first used, so that unused modules take no time. Further calls have no effect. On other runtimes, the
 * returned function has no effect.
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
