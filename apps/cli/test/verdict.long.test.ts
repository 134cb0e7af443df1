import { expect, it } from "vitest"
import { run } from "./runCli.ts"
import { startListed, strongFindings } from "./verdicts.ts"

it("a minute between two queries reveals frozen play times, and nothing about honest servers", async () => {
  const honest = { plain: 5, cached: 3, bots: 2, hiddenNames: 2, mapChange: 2, mirror: 3, relay: 6, moved: 1 }
  await using servers = await startListed(9, { ...honest, frozen: 3, rotating: 3 })
  const { stdout } = await run(["scan", "--json", "--verdict", ...servers.addresses])
  expect(strongFindings(stdout, servers.kindOf)).toEqual([
    ...Array.from({ length: 3 }, () => "frozen: frozen-play-times"),
    ...Array.from({ length: 3 }, () => "rotating: impossible-arrivals")
  ])
})
