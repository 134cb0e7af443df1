import { expect, it } from "vitest"
import { withAlone } from "../../src/commandLine/full.ts"
import { scan } from "../../src/scan/command.ts"

it.each([
  [
    ["scan", "--watch"],
    ["scan", "--watch", "60"]
  ],
  [
    ["scan", "--watch", "--json", "a:1"],
    ["scan", "--watch", "60", "--json", "a:1"]
  ],
  [
    ["scan", "--watch", "10.0.0.0/24"],
    ["scan", "--watch", "60", "10.0.0.0/24"]
  ],
  [
    ["scan", "--watch", "5", "a:1"],
    ["scan", "--watch", "5", "a:1"]
  ],
  [
    ["scan", "--watch=5"],
    ["scan", "--watch=5"]
  ]
])("%j means %j", (given, meant) => {
  expect(withAlone(scan.flags, given)).toEqual(meant)
})
