import { expect, it } from "vitest"
import { slowTests } from "../src/slowTests.ts"
import { files } from "../src/workspace.ts"

const tests = files().filter((file) => file.endsWith(".test.ts"))

it("the list of slow tests contains every long test, with a reason", () => {
  expect(tests.filter((file) => file.endsWith(".long.test.ts") && !Object.hasOwn(slowTests, file))).toEqual([])
  expect(Object.entries(slowTests).filter(([, reason]) => reason === "")).toEqual([])
})

it("the list of slow tests contains only files that exist", () => {
  expect(Object.keys(slowTests).filter((file) => !tests.includes(file))).toEqual([])
})
