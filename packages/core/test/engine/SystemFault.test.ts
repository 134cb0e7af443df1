import { describe, expect, it } from "vitest"
import * as SystemFault from "../../src/engine/SystemFault.ts"

const errorOf = (code: string): SystemFault.SystemError => Object.assign(new Error(`send ${code}`), { code })

describe("faults of this machine", () => {
  it.each(["ENETUNREACH", "ENETDOWN", "EPERM", "ENOBUFS", "ENOMEM", "EMFILE", "ENFILE", "EADDRNOTAVAIL"])(
    "%s says so, sent or opened",
    (code) => {
      const fault = SystemFault.faultOf(errorOf(code))
      expect(fault).toMatchObject({ kind: "local", code })
      expect(fault.message).toMatch(/^This machine could not send \(/)
      expect(SystemFault.openFailed(errorOf(code))).toMatchObject({ code, message: fault.message })
      expect(SystemFault.isLocal(code)).toBe(true)
    }
  )

  it("are told apart from too many sockets", () => {
    expect(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL"].every(SystemFault.isExhausted)).toBe(true)
    expect(["ENETUNREACH", "ENETDOWN", "EPERM", "EADDRINUSE", undefined].some(SystemFault.isExhausted)).toBe(false)
  })
})

describe("faults of others", () => {
  it.each([
    ["ECONNREFUSED", "refused"],
    ["ECONNRESET", "refused"],
    ["EHOSTUNREACH", "unreachable"],
    ["EHOSTDOWN", "unreachable"],
    ["EMSGSIZE", "failed"],
    ["EACCES", "failed"]
  ])("%s is %s", (code, kind) => {
    expect(SystemFault.faultOf(errorOf(code)).kind).toBe(kind)
    expect(SystemFault.isLocal(code)).toBe(false)
  })

  it("an error without a code is nobody's in particular", () => {
    expect(SystemFault.faultOf(new Error("odd"))).toEqual({ kind: "failed", message: "odd" })
  })
})
