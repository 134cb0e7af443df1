import { expect, it } from "vitest"
import { read } from "../../checks/src/workspace.ts"
import { gamesPage } from "../src/games.ts"

it("docs/reference/games.md matches the records", () => {
  expect(read("docs/reference/games.md")).toBe(gamesPage)
})
