/** Chromium as a program: the flags for all tests, and its path for tests that start it without Playwright. */
import { externalProgram, programOnPath } from "../externalProgram.ts"

/** Flags that disable the browser's own network traffic, and parts that tests do not need. */
export const BROWSER_FLAGS: ReadonlyArray<string> = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/** The path of Chromium. Chromium's build without windows is preferred. If both builds are missing in CI, throws an error. */
export const externalBrowser = (): string | undefined =>
  programOnPath("chromium-headless-shell") ?? externalProgram("chromium", "chromium")

/** Arguments with which Chromium prints the DOM of a page. `profile` is a directory for the data of the browser. */
export const dumpDomArguments = (profile: string, url: string): ReadonlyArray<string> => [
  "--headless",
  ...BROWSER_FLAGS,
  `--user-data-dir=${profile}`,
  "--dump-dom",
  url
]
