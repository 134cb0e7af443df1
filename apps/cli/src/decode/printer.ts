/** Lines on their way to the two streams: in their order, and in large pieces where there are many. */
import * as Effect from "effect/Effect"
import { Output, type Surface } from "../output/output.ts"

/** Characters that are held at most. */
const MAX_HELD = 64 * 1024

/** Holds what is printed until nothing more comes at once. */
export class Printer {
  readonly out: Surface
  readonly err: Surface
  #held = ""
  #flushing: NodeJS.Immediate | undefined

  constructor({ err, out }: { readonly out: Surface; readonly err: Surface }) {
    this.out = out
    this.err = err
  }

  /** Lines of results. */
  print(...lines: ReadonlyArray<string>): void {
    for (const line of lines) this.#held += `${line}\n`
    this.#flushing ??= setImmediate(this.flush)
  }

  /** A line of standard error, behind all that was printed. */
  complain(line: string): void {
    this.flush()
    this.err.writeNow(`${line}\n`)
  }

  /** Writes what is held. */
  readonly flush = (): void => {
    this.out.writeNow(this.#take())
  }

  /** Waits for the reader when much is held. */
  settle(): Promise<void> | undefined {
    return this.#held.length > MAX_HELD ? Effect.runPromise(this.out.write(this.#take())) : undefined
  }

  #take(): string {
    clearImmediate(this.#flushing)
    this.#flushing = undefined
    const held = this.#held
    this.#held = ""
    return held
  }
}

/** Prints one value after another, also those before one that `failed` to come. */
export const printAll = Effect.fnUntraced(function* <A, E>(
  values: AsyncIterable<A> | Iterable<A>,
  print: (value: A, printer: Printer) => void,
  failed: (cause: unknown) => E
) {
  const printer = new Printer(yield* Output)
  const all = async (signal: AbortSignal): Promise<void> => {
    try {
      for await (const value of values) {
        if (signal.aborted) return
        print(value, printer)
        const settled = printer.settle()
        if (settled !== undefined) await settled
      }
    } finally {
      printer.flush()
    }
  }
  yield* Effect.tryPromise({ try: all, catch: failed })
})
