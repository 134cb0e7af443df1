/** Half a minute of the soak; `pnpm bench soak --minutes 60` is the long one. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { plot } from "../plot.ts"

it("a soak shows no growth and no open handles", { timeout: 180_000 }, async () => {
  const program = fileURLToPath(new URL("../run.ts", import.meta.url))
  const child = spawn(process.execPath, [program, "soak", "--minutes", "0.5"], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
  const status = await new Promise((resolve) => child.on("close", resolve))
  expect(status === 0 ? "" : output).toBe("")
})

it("a soak is plotted, each line up to its highest value", () => {
  const svg = plot([{ name: "Resident memory", unit: "MB", values: [50, 100] }], "1 minute")
  expect(svg).toContain("110 MB")
  expect(svg.match(/<path d="M[\d. ]+L[\d. ]+"/g)).toHaveLength(1)
})
