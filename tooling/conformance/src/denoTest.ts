/**
 * Runs each case of the conformance suite with Deno's test runner. This runner fails a test that leaves an operation or a resource open.
 *
 *     deno test denoTest.mjs
 */
import { conformanceCases } from "@sourcewire/emulator/conformance"
import { loadBatching } from "./transport.ts"

/** The part of Deno's types that this program needs. The types of Deno are not installed. */
interface DenoTests {
  readonly test: (test: {
    readonly name: string
    readonly sanitizeOps: boolean
    readonly sanitizeResources: boolean
    readonly sanitizeExit: boolean
    readonly fn: () => Promise<void>
  }) => void
}

const { transport } = await loadBatching(false, "deno")
const { test } = (globalThis as unknown as { readonly Deno: DenoTests }).Deno
for (const { group, name, run } of conformanceCases) {
  test({
    name: `${group}: ${name}`,
    sanitizeOps: true,
    sanitizeResources: true,
    sanitizeExit: true,
    fn: () => run({ transport, reportsClosedPorts: false })
  })
}
