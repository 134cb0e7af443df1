/** Builds the page as for a release, once for all long tests of a run. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "vite"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  interface ProvidedContext {
    /** Directory of the built page. */
    page: string
  }
}

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

/** Vitest runs `setup` before the first test. After the last test, Vitest runs the function that `setup` returns. */
export const setup = async ({ provide }: TestProject): Promise<() => void> => {
  const outDir = mkdtempSync(join(tmpdir(), "sourcewire-page-"))
  await build({
    root: ROOT,
    configFile: join(ROOT, "vite.config.ts"),
    logLevel: "error",
    build: { outDir, emptyOutDir: true }
  })
  provide("page", outDir)
  return () => rmSync(outDir, { recursive: true })
}
