import { expect, it } from "vitest"
import { whyNotListening } from "../src/exitCode.ts"

it.each([
  ["The system gave no UDP socket: bind EADDRINUSE 127.0.0.1:27015.", "127.0.0.1:27015 is taken (EADDRINUSE): "],
  ["listen EADDRINUSE: address already in use ::1:9100", "::1:9100 is taken (EADDRINUSE): "],
  ["Failed to start server. Is port 9100 in use?", "That port is taken (EADDRINUSE): "]
])("a port that is taken is told in a sentence: %s", (message, sentence) => {
  expect(whyNotListening({ code: "EADDRINUSE", message })).toBe(
    `${sentence}another program listens there. Stop that one, or choose another port.`
  )
})

it("says what the system says of anything else", () => {
  expect(whyNotListening({ code: "EACCES", message: "permission denied" })).toBe("permission denied")
  expect(whyNotListening({ message: "no such host" })).toBe("no such host")
})
