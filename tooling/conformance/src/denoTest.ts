/**
 * Runs each case of the conformance suite with Deno's test runner, which fails tests that leave an operation or a resource open.
 *
 *     deno test denoTest.mjs
 */
import { conformanceCases } from "@sourcewire/emulator/conformance"
import { loadBatching } from "./transport.ts"

/** The used part of Deno's types, which the project does not include. */
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
