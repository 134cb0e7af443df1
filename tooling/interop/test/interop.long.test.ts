/** Checks that a comparison with programs of other authors has the same results as the committed page. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import { missingPackages } from "../src/versions.ts"

const PAGE = fileURLToPath(new URL("../../../docs/interop.md", import.meta.url))
const PROGRAM = fileURLToPath(new URL("../src/interop.ts", import.meta.url))

/** Returns the lines of the page without the versions of Debian's programs. These versions differ between releases of Debian. */
const withoutDebianVersions = (page: string): ReadonlyArray<string> =>
  page
    .trim()
    .split("\n")
    .map((line) => line.replace(/^(\| [^|]+ \|) [^|]+ (\| Debian \|)/, "$1 … $2"))

const missing = missingPackages()

// A failed run is repeated up to twice. A run can fail because Quake 3 drops requests above its rate limit, or because datagrams are lost:
// RCON over UDP does not retransmit. In CI, the test also fails if a program is missing.
const options = { retry: 2 }
it.skipIf(missing.length > 0 && process.env["CI"] === undefined)(
  "the comparison with programs of other authors has the same results as docs/interop.md",
  options,
  async () => {
    expect(missing).toEqual([])
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { timeout: 110_000 })
    expect(withoutDebianVersions(stdout)).toEqual(withoutDebianVersions(readFileSync(PAGE, "utf8")))
  }
)
