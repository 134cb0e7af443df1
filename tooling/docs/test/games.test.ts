import { expect, it } from "vitest"
import { read } from "../../checks/src/workspace.ts"
import { gamesPage } from "../src/games.ts"

it("docs/reference/games.md equals the page that is generated from the records of games", () => {
  expect(read("docs/reference/games.md")).toBe(gamesPage)
})
