import { describe, expect, it } from "vitest"
import { faultError } from "../../src/engine/SocketFault.ts"
import * as SystemFault from "../../src/engine/SystemFault.ts"

const makeError = (code: string): Error => Object.assign(new Error(`send ${code}`), { code })

const LOCAL = [
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EPERM",
  "ENOBUFS",
  "ENOMEM",
  "EMFILE",
  "ENFILE",
  "EADDRNOTAVAIL"
]

describe("errors of this host", () => {
  it.each(LOCAL)(
    "%s is an error of this host, both if a datagram cannot be sent and if a socket cannot be opened",
    (code) => {
      const fault = SystemFault.toSocketFault(makeError(code))
      expect(fault).toMatchObject({ kind: "local", code })
      expect(fault.message).toMatch(/^This host could not send \([A-Z]+\): (the|there) .*\.$/)
      const { message } = fault
      expect(SystemFault.openFailed(makeError(code))).toMatchObject({ code, message, local: true })
      expect(faultError(fault)).toMatchObject({ _tag: "SendFailed", code, message, local: true })
    }
  )

  it("contain the address to which a socket could not be bound", () => {
    const error = Object.assign(makeError("EADDRNOTAVAIL"), {
      address: "10.9.9.9",
      port: 27500,
      message: "bind EADDRNOTAVAIL 10.9.9.9:27500"
    })
    const message = "Cannot open a UDP socket: bind EADDRNOTAVAIL 10.9.9.9:27500."
    expect(SystemFault.openFailed(error)).toMatchObject({ code: "EADDRNOTAVAIL", message, local: true })
  })

  it("`isExhausted` returns true if the host has too few descriptors, buffers or ports", () => {
    expect(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL"].every(SystemFault.isExhausted)).toBe(true)
    expect(["ENETUNREACH", "ENETDOWN", "EPERM", "EADDRINUSE", undefined].some(SystemFault.isExhausted)).toBe(false)
  })
})

describe("socket errors that are not errors of this host", () => {
  it.each([
    ["ECONNREFUSED", "refused"],
    ["ECONNRESET", "refused"],
    ["EHOSTDOWN", "unreachable"],
    ["EMSGSIZE", "failed"],
    ["EACCES", "failed"]
  ])("the error %s has the kind `%s`", (code, kind) => {
    const fault = SystemFault.toSocketFault(makeError(code))
    expect(fault.kind).toBe(kind)
    expect(faultError(fault)).not.toHaveProperty("local")
    expect(SystemFault.openFailed(makeError(code))).not.toHaveProperty("local")
  })

  it("the error EHOSTUNREACH has the kind `unreachable` if the socket has a single peer", () => {
    expect(SystemFault.toSocketFault(makeError("EHOSTUNREACH"), true)).toMatchObject({
      kind: "unreachable",
      message: "The host is unreachable (EHOSTUNREACH): it is down, or a firewall rejects the datagrams."
    })
    for (const code of LOCAL.slice(1)) expect(SystemFault.toSocketFault(makeError(code), true).kind).toBe("local")
  })

  it("an error without a code has the kind `failed`", () => {
    expect(SystemFault.toSocketFault(new Error("odd"))).toEqual({ kind: "failed", message: "odd" })
    expect(SystemFault.openFailed(new Error("odd"))).toMatchObject({ message: "Cannot open a UDP socket: odd." })
  })
})
