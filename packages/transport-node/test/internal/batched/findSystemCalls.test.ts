import { expect, it } from "vitest"
import { findSystemCalls } from "../../../src/internal/batched/findSystemCalls.ts"
import { Kernel } from "./kernel.ts"

const isKnown = process.platform === "linux" && ["x64", "arm64"].includes(process.arch)

it("asks for the C library by the name that it has, on systems that are known", () => {
  const kernel = new Kernel()
  const asked: Array<string> = []
  const found = findSystemCalls((library) => {
    asked.push(library)
    return kernel
  })
  expect(asked).toEqual(isKnown ? ["libc.so.6"] : [])
  if (isKnown) expect(found).toBe(kernel)
  else expect(found).toMatch(/^Batched system calls are/)
})

it("tells why it cannot be called", () => {
  const found = findSystemCalls(() => {
    throw new Error("no permission")
  })
  if (isKnown) expect(found).toBe("The C library cannot be called: no permission.")
  else expect(found).toMatch(/^Batched system calls are/)
})
