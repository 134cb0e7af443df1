import { spawnSync } from "node:child_process"
import { expect, it } from "vitest"
import { root } from "../src/workspace.ts"

it("docs/architecture.md names the files through which a question and its answer go", () => {
  const { status, stderr } = spawnSync(process.execPath, ["tooling/docs/src/walk.ts", "--check"], {
    cwd: root,
    encoding: "utf8"
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
})
