import { diagnose } from "@sourcewire/diagnosis"
import { profiles } from "@sourcewire/emulator"
import { fromHex } from "@sourcewire/protocol"
import { describe, expect, it } from "vitest"
import { examples } from "../../src/examples/examples.ts"
import { readScenario } from "../../src/query/scenario.ts"
import { questions } from "../../src/questions/questions.ts"

describe("the problems of the first screen", () => {
  it.each(questions.flatMap(({ causes, question }) => causes.map((cause) => ({ ...cause, question }))))(
    "$question: $title",
    ({ datagrams, example, servers }) => {
      if (datagrams !== undefined) {
        const given = datagrams.map(({ hex, ...rest }) => ({ ...rest, bytes: fromHex(hex)! }))
        expect(diagnose(given).flatMap(({ findings }) => findings)).not.toEqual([])
      } else if (example === undefined) {
        expect(readScenario(servers!).map(({ profile }) => Object.hasOwn(profiles, profile))).toEqual([true])
      } else expect(examples.map(({ id }) => id)).toContain(example)
    }
  )
})
