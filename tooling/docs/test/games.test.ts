import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

it("docs/reference/games.md matches the records", () => {
  const script = fileURLToPath(new URL("../src/games.ts", import.meta.url))
  expect(() => execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" })).not.toThrow()
})
