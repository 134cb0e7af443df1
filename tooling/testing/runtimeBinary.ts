/**
 * The runtimes' own programs. What `node_modules/.bin` has for Deno and Bun is a script that starts them: whoever stops the script
 * leaves the runtime running.
 *
 * @module
 */
import { fileURLToPath } from "node:url"

const file = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))
const ending = process.platform === "win32" ? ".exe" : ""

/** Paths by the runtime's name. */
export const runtimeBinary = {
  node: file(`node/bin/node${ending}`),
  deno: file(`deno/deno${ending}`),
  // The package calls it so everywhere.
  bun: file("bun/bin/bun.exe")
} as const
