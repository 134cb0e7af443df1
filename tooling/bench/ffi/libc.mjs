// The few functions of Linux's C library that batched.mjs calls, by the foreign function interface of the runtime at hand.
import process from "node:process"

const SIGNATURES = {
  socket: ["i32", "i32", "i32"],
  bind: ["i32", "pointer", "u32"],
  setsockopt: ["i32", "i32", "i32", "pointer", "u32"],
  sendmmsg: ["i32", "pointer", "u32", "i32"],
  recvmmsg: ["i32", "pointer", "u32", "i32", "pointer"]
}

const onBun = async () => {
  const { dlopen, ptr } = await import("bun:ffi")
  const names = { i32: "i32", u32: "u32", pointer: "ptr" }
  const symbols = Object.fromEntries(
    Object.entries(SIGNATURES).map(([name, args]) => [name, { args: args.map((type) => names[type]), returns: "i32" }])
  )
  return { ...dlopen("libc.so.6", symbols).symbols, pointerOf: ptr, runtime: "Bun", version: Bun.version }
}

const onDeno = () => {
  const symbols = Object.fromEntries(
    Object.entries(SIGNATURES).map(([name, args]) => [
      name,
      { parameters: args.map((type) => (type === "pointer" ? "buffer" : type)), result: "i32" }
    ])
  )
  const pointerOf = (bytes) => Deno.UnsafePointer.value(Deno.UnsafePointer.of(bytes))
  return { ...Deno.dlopen("libc.so.6", symbols).symbols, pointerOf, runtime: "Deno", version: Deno.version.deno }
}

const onNode = async () => {
  const ffi = await import("node:ffi")
  const names = { i32: "int32", u32: "uint32", pointer: "buffer" }
  const symbols = Object.fromEntries(
    Object.entries(SIGNATURES).map(([name, args]) => [
      name,
      { arguments: args.map((type) => names[type]), return: "int32" }
    ])
  )
  const { functions } = ffi.dlopen("libc.so.6", symbols)
  return { ...functions, pointerOf: ffi.getRawPointer, runtime: "Node", version: process.version }
}

/** The functions, and `pointerOf(bytes)`. */
export const libc = async () => {
  if (globalThis.Bun !== undefined) return onBun()
  return globalThis.Deno === undefined ? onNode() : onDeno()
}
