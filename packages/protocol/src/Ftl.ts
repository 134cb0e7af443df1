/**
 * Excludes functions from compilation by FTL. FTL is the last of the compilers of JavaScriptCore, the JavaScript engine of Bun. FTL uses
 * milliseconds of processor time on a separate thread to compile functions. If a program makes a system call every few microseconds, FTL
 * takes more time to compile most functions than the compiled functions save. Without FTL, the first scan of 10,000 servers takes only
 * 0.58 times the CPU time. Later scans are not slower without FTL (docs/explanation/scan-performance.md).
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

/** The function of `process` that returns Bun's module `bun:jsc`. An `import` of `bun:jsc` would break bundlers for other runtimes. */
interface Builtins {
  readonly getBuiltinModule?: (name: "bun:jsc") => { readonly noFTL?: (code: object) => void } | undefined
}

const listMethods = (code: AnyFunction | AnyClass): ReadonlyArray<object> =>
  Object.values(Object.getOwnPropertyDescriptors((code.prototype ?? {}) as object))
    .flatMap(({ get, value }: PropertyDescriptor) => [get, value as unknown])
    .filter((member) => typeof member === "function")

/**
 * Returns a function that excludes the listed functions, and the methods of the listed classes, from FTL. Call the returned function when
 * your module is used for the first time. If you call the returned function while your module is loaded, the call takes time even if the
 * program never uses your module. Later calls of the returned function have no effect. On runtimes other than Bun, the returned function
 * has no effect.
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
