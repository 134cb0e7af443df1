/**
 * Tests Sourcewire with programs of other authors: our servers with these authors' clients, and our client with these authors' servers.
 * `pnpm interop` prints the page of results. `pnpm interop --write` writes the page to `docs/interop.md`. The programs of Debian must be
 * installed (`.ci/run` installs them).
 */
import { writeFileSync } from "node:fs"
import { run } from "./run.ts"
import { UNEXPLAINED } from "./report.ts"

const PAGE = new URL("../../../docs/interop.md", import.meta.url)

const text = await run()
if (text.includes(UNEXPLAINED)) {
  console.error(text)
  throw new Error("A difference has no reason in tooling/interop/src/reasons.ts")
}
if (process.argv.includes("--write")) writeFileSync(PAGE, text)
else console.log(text)
// Some clients leave sockets open, which would keep this program running.
process.exit(0)
