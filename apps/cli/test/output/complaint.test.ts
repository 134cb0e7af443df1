import { expect, it } from "vitest"
import { plain } from "../../src/output/text.ts"
import type { Surface } from "../../src/output/output.ts"
import { formatError } from "../../src/output/sentences.ts"
import { failureWith } from "../../src/view/failureLine.ts"

const surface = (isTerminal: boolean): Surface => ({ columns: 40, isTerminal, palette: plain }) as Surface

it.each([
  [true, ["sourcewire: --rate must be 1 or more,", "  not 0", "", "  Did you mean this?", "    rate"]],
  [false, ["sourcewire: --rate must be 1 or more, not 0", "", "  Did you mean this?", "    rate"]]
])("an error message is wrapped between words only if the output is a terminal: %j", (isTerminal, lines) => {
  const message = "--rate must be 1 or more, not 0\n\n  Did you mean this?\n    rate"
  expect(formatError(surface(isTerminal), message).split("\n")).toEqual(lines)
})

it.each([
  [true, ["✗ 127.0.0.1:1  No reply within 3000 ms.", "  Is it running?"]],
  [false, ["✗ 127.0.0.1:1  No reply within 3000 ms. Is it running?"]]
])(
  "the message about a failed target is wrapped between words only if the output is a terminal: %j",
  (isTerminal, lines) => {
    const line = failureWith("127.0.0.1:1", "no reply within 3000 ms", "Is it running?", surface(isTerminal))
    expect(line.split("\n")).toEqual(lines)
  }
)
