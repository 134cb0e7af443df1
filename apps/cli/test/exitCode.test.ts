import { expect, it } from "vitest"
import { explainListenError } from "../src/exitCode.ts"

it.each([
  ["Cannot open a UDP socket: bind EADDRINUSE 127.0.0.1:27015.", "127.0.0.1:27015 is in use (EADDRINUSE): "],
  ["listen EADDRINUSE: address already in use ::1:9100", "::1:9100 is in use (EADDRINUSE): "],
  ["Failed to start server. Is port 9100 in use?", "The address to listen on is in use (EADDRINUSE): "]
])("the error about a port in use is explained in a sentence: %s", (message, sentence) => {
  expect(explainListenError({ code: "EADDRINUSE", message })).toBe(
    `${sentence}another program listens there. Stop it, or choose another port.`
  )
})

it("the errors about a forbidden port and about an address of another host are explained in sentences", () => {
  expect(explainListenError({ code: "EACCES", message: "bind EACCES 127.0.0.1:53" })).toMatch(
    /^127\.0\.0\.1:53 is not allowed/
  )
  expect(explainListenError({ code: "EADDRNOTAVAIL", message: "bind EADDRNOTAVAIL 192.0.2.1:53" })).toMatch(
    /^192\.0\.2\.1:53 is not an address of this host/
  )
})

it("an error with an unknown code or without a code keeps its message", () => {
  expect(explainListenError({ code: "EODD", message: "odd" })).toBe("odd")
  expect(explainListenError({ message: "no such host" })).toBe("no such host")
})
