/** Runs the soak test for half a minute. `SOAK_MINUTES=60` runs it for an hour. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"

const minutes = Number(process.env["SOAK_MINUTES"] ?? 0.5)

it(
  "the memory of a process under load does not grow, and no resource remains open",
  { timeout: 150_000 + minutes * 60_000 },
  async () => {
    const program = fileURLToPath(new URL("soak.ts", import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program, String(minutes)])
    const { problems, ...figures } = JSON.parse(stdout) as Readonly<Record<string, number>> & {
      readonly problems: ReadonlyArray<string>
    }
    expect(problems).toEqual([])
    for (const kind of ["scanned", "queries", "proxied", "commands"]) expect(figures[kind]).toBeGreaterThan(0)
  }
)
