/**
 * Sparing Bun the last of its compilers. JavaScriptCore compiles a hot function up to four times; the last time, by FTL, takes
 * milliseconds of another thread. For code that a system call follows every few microseconds that never pays: on one CPU, FTL took half
 * the time of a scan of 10 000 servers, and later scans were no faster for it (docs/benchmarks/scan.md).
 *
 * @example
 * import { withoutFtl } from "@sourcewire/protocol/machines"
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

type AnyFunction = (...args: never) => unknown
type AnyClass = abstract new (...args: never) => unknown

/** An `import` of Bun's own module would keep bundlers for others from their work. */
interface Builtins {
  readonly getBuiltinModule?: (name: "bun:jsc") => { readonly noFTL?: (code: object) => void } | undefined
}

const methodsOf = (code: AnyFunction | AnyClass): ReadonlyArray<object> =>
  Object.values(Object.getOwnPropertyDescriptors((code.prototype ?? {}) as object))
    .flatMap(({ get, value }: PropertyDescriptor) => [get, value as unknown])
    .filter((member) => typeof member === "function")

/**
 * Gives what keeps functions, and the methods of classes, from FTL. Its first call does it, so that a module that is never used costs
 * nothing; the other calls, and all on other runtimes, do nothing.
 */
export const withoutFtl = (list: () => ReadonlyArray<AnyFunction | AnyClass>): (() => void) => {
  demandFunction(list, "list")
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    const noFTL = (globalThis as { readonly process?: Builtins }).process?.getBuiltinModule?.("bun:jsc")?.noFTL
    if (noFTL === undefined) return
    for (const code of list()) for (const each of [code, ...methodsOf(code)]) noFTL(each)
  }
}
