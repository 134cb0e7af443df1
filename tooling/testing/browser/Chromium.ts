/** Finds and starts a real browser for tests: an installed Chromium, Chrome or Edge. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { BROWSER_FLAGS } from "./program.ts"

const PLACES: ReadonlyArray<string | undefined> = [
  process.env["CHROME_PATH"],
  // The build without windows needs less processor time than the full browser.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/microsoft-edge",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  `${process.env["PROGRAMFILES"]}\\Google\\Chrome\\Application\\chrome.exe`,
  `${process.env["PROGRAMFILES(X86)"]}\\Microsoft\\Edge\\Application\\msedge.exe`
]

/** The path of an installed browser. Playwright's own browser is the last choice, because it must be installed separately. */
export const findBrowser = (): string | undefined =>
  [...PLACES, chromium.executablePath()].find((path) => path !== undefined && path !== "" && existsSync(path))

/** Downloads Playwright's own browser. If the download fails and this process runs as root, this function installs Debian's browser. */
const install = (): void => {
  const cli = join(dirname(createRequire(import.meta.url).resolve("playwright-core/package.json")), "cli.js")
  spawnSync(process.execPath, [cli, "install", "chromium"], { stdio: "ignore" })
  if (findBrowser() !== undefined || process.getuid?.() !== 0) return
  spawnSync("apt-get", ["update"], { stdio: "ignore" })
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium-headless-shell"], { stdio: "ignore" })
}

/** Starts a browser without a window. The browser's own network traffic is disabled. */
export const launch = (): Promise<Browser> => {
  if (findBrowser() === undefined) install()
  const executablePath = findBrowser()
  if (executablePath === undefined) {
    throw new Error(
      "No browser is installed: set CHROME_PATH to a Chromium, Chrome or Edge, or run `npx playwright install chromium`."
    )
  }
  return chromium.launch({
    executablePath,
    args: [...BROWSER_FLAGS]
  })
}

/** A function that runs in the browser, and converts a PNG image to WebP. */
const TO_WEBP = `async (png) => {
  const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob())
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext("2d").drawImage(bitmap, 0, 0)
  const webp = await canvas.convertToBlob({ type: "image/webp", quality: 0.75 })
  return btoa(Array.from(new Uint8Array(await webp.arrayBuffer()), (byte) => String.fromCharCode(byte)).join(""))
}`

/**
 * Returns a function that converts PNG images to WebP. A WebP file takes about half as many bytes as the PNG file. The conversion uses a
 * separate page, because the content security policy of our pages forbids `data:` URLs.
 */
export const webpIn = async (browser: Browser): Promise<(png: Buffer) => Promise<Buffer>> => {
  const converter = await browser.newPage()
  return async (png) => {
    const base64 = await converter.evaluate<string>(`(${TO_WEBP})("${png.toString("base64")}")`)
    return Buffer.from(base64, "base64")
  }
}
