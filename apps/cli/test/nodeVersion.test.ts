import { expect, it } from "vitest"
import { findVersionProblem } from "../src/nodeVersion.ts"

it.each(["22.19.0", "22.20.1", "23.0.0", "24.21.0", "100.1.0"])(
  "Node %s is new enough if Node 22.19 is required",
  (version) => {
    expect(findVersionProblem(version, ">=22.19")).toBeUndefined()
  }
)

it.each(["18.20.4", "20.20.2", "22.9.0", "22.18.9"])("Node %s is too old if Node 22.19 is required", (version) => {
  expect(findVersionProblem(version, ">=22.19")).toBe(
    `Node ${version} is too old. Sourcewire requires Node 22.19 or newer.`
  )
})
