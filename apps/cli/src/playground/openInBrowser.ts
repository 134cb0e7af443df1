/** Opens a page in the browser that the system prefers. Best effort: the address has been printed. */
import { spawn } from "node:child_process"

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...Array<string>]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"]
}

/** Starts the browser and forgets it. */
export const openInBrowser = (url: string): void => {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"]
  const child = spawn(command, [...args, url], { detached: true, stdio: "ignore" })
  child.on("error", () => {})
  child.unref()
}
