import { expect, it } from "vitest"
import { findSystemCalls } from "../../src/batched/systemCalls.ts"
import { Kernel } from "./kernel.ts"

const known = { platform: "linux", arch: "x64" } as const

it("system calls are loaded on supported systems, and on no other systems", () => {
  const kernel = new Kernel()
  expect(findSystemCalls(() => kernel, known)).toBe(kernel)
  for (const other of [{ ...known, platform: "darwin" } as const, { ...known, arch: "arm64" } as const]) {
    const found = findSystemCalls(() => {
      throw new Error("called")
    }, other)
    expect(found).toBe(
      `Batched system calls require Linux on x64, but this process runs on ${other.platform} (${other.arch}).`
    )
  }
})

it("if system calls are unavailable, the reason is reported", () => {
  const found = findSystemCalls(() => {
    throw new Error("no permission")
  }, known)
  expect(found).toBe("The C library cannot be called: no permission.")
})

it("system calls require the experimental flag of Node", () => {
  expect(findSystemCalls(undefined, known)).toBe(
    "The C library cannot be called: Node runs without --experimental-ffi."
  )
})
