/**
 * Each case of the conformance suite as a test of Deno's own test runner, which fails a test that leaves an operation or a resource
 * behind.
 *
 *     deno test denoTest.mjs
 */
import { conformanceCases } from "@sourcewire/emulator/conformance"
import { loadBatching } from "./transport.ts"

/** What this needs of Deno, whose types are not those of the project. */
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
// The types of Deno's globals are not installed.
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
