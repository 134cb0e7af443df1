/** Tests the page of a server in a real browser. The monitor reads the players from the consoles of emulated servers on loopback. */
import { launch } from "@sourcewire/testing/browser"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { bundle, objects, type Running, start } from "../../runCli.ts"
import { buildPage, problemsOn, SCREENS } from "./stage.ts"

let browser: Awaited<ReturnType<typeof launch>>
let directory: string
let url: string
const running: Array<Running> = []

/**
 * Starts a command of the program, and waits until the command has printed at least `lines` lines. Returns the printed lines, parsed as
 * JSON.
 */
const printed = async (args: ReadonlyArray<string>, lines = 1) => {
  const process = start(args)
  running.push(process)
  while (objects(process.output().stdout).length < lines) await new Promise((resolve) => setTimeout(resolve, 50))
  return objects(process.output().stdout)
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sourcewire-console-page-"))
  if (bundle !== undefined) buildPage(join(bundle, "dashboard"))
  browser = await launch()
  const [right, wrong] = [join(directory, "right.txt"), join(directory, "wrong.txt")]
  await writeFile(right, "open sesame 42\n")
  await writeFile(wrong, "not the password\n")
  const serving = ["serve", "--json", "--port", "0", "--profile", "css", "--profile", "cs16"]
  const served = await printed([...serving, "--rcon-password-file", right], 2)
  const [known = "", refused = ""] = served.map((line) => String(line["listening"]))
  const common = { query: "all", intervalMs: 1000 }
  const groups = [
    { name: "known", targets: [known], rconPasswordFile: right, ...common },
    { name: "refused", targets: [refused], rconPasswordFile: wrong, ...common }
  ]
  await writeFile(join(directory, "monitor.json"), JSON.stringify({ groups }))
  const monitor = ["monitor", "--json", "--bind", "127.0.0.1:0", "--store", ":memory:"]
  const [line] = await printed([...monitor, "--config", join(directory, "monitor.json")])
  url = String(line!["url"])
}, 600_000)

afterAll(async () => {
  await browser.close()
  for (const { child } of running) child.kill()
  await Promise.all(running.map(({ ended }) => ended))
  await rm(directory, { recursive: true })
})

const openServer = async (group: string, context: object = {}) => {
  const response = await fetch(`${url}/api/targets?group=${group}`)
  const { targets } = (await response.json()) as { targets: ReadonlyArray<{ id: number }> }
  const page = await (await browser.newContext({ ...context, bypassCSP: true })).newPage()
  const errors: Array<string> = []
  page.on("pageerror", (error) => errors.push(String(error)))
  await page.goto(`${url}/#/server/${targets[0]!.id}`)
  return { page, errors, panel: page.locator(".panel", { has: page.locator("#players") }) }
}

it.each(SCREENS)("the page of a server marks values from the console: $screen", async ({ context }) => {
  const { errors, page, panel } = await openServer("known", context)
  await panel.getByText("R: from the server's console (RCON), read").waitFor()
  const row = panel.locator("tr", { hasText: "Cobalt?" })
  expect((await row.locator("td").allInnerTexts()).map((text) => text.replace(/\s/g, ""))).toEqual([
    "Cobalt?R",
    "20",
    expect.stringMatching(/^\d:\d\d:\d\dR$/),
    "15R",
    "76561197960267728R"
  ])
  expect(await panel.getByText("bot", { exact: false }).count()).toBeGreaterThan(0)
  expect(await problemsOn(page)).toEqual([])
  expect(errors).toEqual([])
  await page.context().close()
})

it("if the console cannot be read, the page of a server shows the reason and the players from A2S", async () => {
  const { errors, page, panel } = await openServer("refused")
  await panel.getByText("The console cannot be read. The server refused the RCON password.").waitFor()
  expect(await panel.locator("tr", { hasText: "Cobalt?" }).count()).toBe(1)
  expect(errors).toEqual([])
  await page.context().close()
})
