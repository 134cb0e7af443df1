import type { VNode } from "preact"
import { expect, it } from "vitest"
import { Coloured } from "../../src/widgets/Coloured.tsx"

type Part = string | VNode<{ readonly class: string; readonly children: string }>

it("Coloured applies colour codes without showing them, and makes invisible characters visible", () => {
  const { props, type } = Coloured({ text: "^1Red \u202e^7and \u0004green" }) as VNode<{
    children: ReadonlyArray<Part>
  }>
  expect(type).toBe("bdi")
  const parts = props.children.map((part) =>
    typeof part === "string" ? part : [part.props.class, part.props.children]
  )
  expect(parts).toEqual([["colour-red", "Red �"], "and ", ["colour-green", "green"]])
})
