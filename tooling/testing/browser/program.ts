/** The flags with which all tests start Chromium, and the path of Chromium for tests that start Chromium without Playwright. */
import { externalProgram, programOnPath } from "../externalProgram.ts"

/** Flags that disable the browser's own network traffic. They also disable parts of the browser that tests do not need. */
export const BROWSER_FLAGS: ReadonlyArray<string> = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/**
 * Returns the path of Chromium's build without windows. If this build is missing, the function returns the path of the full build, or
 * `undefined`. In CI, the function throws an error if both builds are missing.
 */
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
