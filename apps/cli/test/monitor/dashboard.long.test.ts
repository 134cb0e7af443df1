/** The monitor's page in a real browser, over real servers on loopback. */
import { seriousFindings } from "@sourcewire/playground/accessibility"
import { launch } from "@sourcewire/playground/browser"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { buildPage } from "./dashboard/stage.ts"
import { bundle, objects, type Running, start } from "../runCli.ts"

const NAME = "<img src=x onerror=alert(1)>"

let browser: Awaited<ReturnType<typeof launch>>
let directory: string
const running: Array<Running> = []
let address: string
let url: string
let began: number

const printed = async (args: ReadonlyArray<string>) => {
  const process = start(args, { env: { XDG_STATE_HOME: directory, XDG_CONFIG_HOME: directory } })
  running.push(process)
  await process.printed("\n")
  return objects(process.output().stdout)[0]!
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sourcewire-dashboard-"))
  // The page as it is released, beside the program that is tested; a single file has it inside.
  if (bundle !== undefined) buildPage(join(bundle, "dashboard"))
  browser = await launch()
  address = String((await printed(["serve", "--port", "0", "--name", NAME, "--json"]))["listening"])
  began = performance.now()
  url = String((await printed(["monitor", "--json", "--bind", "127.0.0.1:0", address, "127.0.0.1:1"]))["url"])
}, 600_000)

afterAll(async () => {
  await browser.close()
  for (const { child } of running) child.kill()
  await Promise.all(running.map(({ ended }) => ended))
  await rm(directory, { recursive: true })
})

const open = async (context: Parameters<typeof browser.newContext>[0] = {}, fragment = "", at = url) => {
  const page = await (await browser.newContext(context)).newPage()
  const errors: Array<string> = []
  page.on("pageerror", (error) => errors.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text())
  })
  page.on("dialog", (dialog) => void dialog.dismiss())
  await page.goto(`${at}/${fragment}`)
  return { page, errors }
}

const screens = [
  { screen: "desktop", viewport: { width: 1200, height: 740 }, colorScheme: "light" },
  { screen: "desktop", viewport: { width: 1200, height: 740 }, colorScheme: "dark" },
  { screen: "phone", viewport: { width: 390, height: 780 }, colorScheme: "light" },
  { screen: "phone", viewport: { width: 390, height: 780 }, colorScheme: "dark" }
] as const

describe("the dashboard", () => {
  it("is filled within ten seconds, and runs nothing but its own", async () => {
    const { errors, page } = await open()
    const row = page.locator(".row", { hasText: NAME })
    await row.locator(".state-up").waitFor()
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(await page.locator(".row img").count()).toBe(0)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it.each(screens)("lists servers and shows one: $screen, $colorScheme", async ({ screen, ...context }) => {
    const { errors, page } = await open({ ...context, bypassCSP: true })
    await page.waitForSelector(".row .state-up")
    expect([screen, await seriousFindings(page)]).toEqual([screen, []])
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
    await page.locator(".row", { hasText: NAME }).click()
    await page.waitForSelector(".plot canvas")
    await page.waitForSelector(".panel td")
    expect(await page.locator(".plot").count()).toBe(3)
    await page.click("button:text-is('Week')")
    expect(page.url()).toContain("days=7")
    expect([screen, await seriousFindings(page)]).toEqual([screen, []])
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("is searched and opened by keys alone", async () => {
    const { errors, page } = await open()
    await page.waitForSelector(".row .state-up")
    await page.focus("input[type=search]")
    await page.keyboard.type("onerror")
    await page.waitForSelector(".row[aria-setsize='1']")
    await page.focus("#servers")
    await page.keyboard.press("ArrowDown")
    await page.waitForSelector("#servers-0[aria-selected=true]")
    await page.keyboard.press("Enter")
    await page.waitForSelector("h2 .state-up")
    expect(await page.title()).toContain(NAME)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("begins with a field for the first server, where nobody says what to watch", async () => {
    const own = await printed(["monitor", "--json", "--bind", "127.0.0.1:0", "--store", ":memory:"])
    const { errors, page } = await open({ bypassCSP: true }, "", String(own["url"]))
    await page.waitForSelector("text=No server is watched yet")
    expect(await seriousFindings(page)).toEqual([])
    await page.fill("[name=address]", "no/address")
    await page.keyboard.press("Enter")
    await page.waitForSelector("[role=status].wrong")
    await page.fill("[name=address]", address)
    await page.click("button:text-is('Add server')")
    await page.locator(".row", { hasText: NAME }).locator(".state-up").waitFor()
    await page.locator(".row", { hasText: NAME }).click()
    await page.click("button:text-is('Remove …')")
    await page.click("button:text-is('Stop watching it')")
    await page.waitForSelector("text=No server is watched yet")
    // The browser tells of the refusal itself.
    expect(errors).toEqual([expect.stringContaining("422")])
    await page.context().close()
  })

  it.each([screens[0], screens[3]])(
    "shows the machines that share servers: $screen, $colorScheme",
    async ({ screen, ...context }) => {
      const { errors, page } = await open({ ...context, bypassCSP: true })
      const report = { upMs: 7_200_000, targets: 41_000, perSecond: 2733, waiting: 0, lagMs: 40, wroteMs: 210, lost: 0 }
      const there = {
        alive: true,
        silentMs: 900,
        slices: 150,
        report: { ...report, version: "1.2.3", location: "eu-west" }
      }
      const overview = await page.evaluate<object>("fetch('api/overview').then((response) => response.json())")
      await page.route("**/api/overview", (route) => route.fulfill({ json: { ...overview, shared: true } }))
      await page.route("**/api/fleet", (route) =>
        route.fulfill({
          json: {
            shared: true,
            slices: 300,
            orphaned: 150,
            runners: [
              { name: "eu-1:9155", self: true, ...there },
              { name: "eu-2:9155", self: false, ...there, alive: false, silentMs: 12_000 }
            ]
          }
        })
      )
      await page.click("a:text-is('Machines')")
      await page.waitForSelector("td .state-up:text-is('up 2 h')")
      await page.waitForSelector("td .state-down:text-is('gone for 12 s')")
      await page.waitForSelector("text=150 slices of machines that are gone")
      expect([screen, await seriousFindings(page)]).toEqual([screen, []])
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
      expect(errors).toEqual([])
      // Nobody waits for the end of those that are being answered.
      await page.unrouteAll({ behavior: "ignoreErrors" })
      await page.context().close()
    }
  )

  it("says so where nothing is found, where there is no such server, and when the monitor has gone", async () => {
    const { page } = await open({}, "#/?q=nowhere")
    await page.waitForSelector("text=No server is like that.")
    await page.click("button:text-is('Show all')")
    await page.waitForSelector(".row")
    await page.evaluate("location.hash = '#/server/999'")
    await page.waitForSelector("text=No target has the number 999.")
    await page.context().setOffline(true)
    await page.waitForSelector("text=The monitor does not answer.")
    expect(await page.locator("[role=alert]").count()).toBe(1)
    await page.context().close()
  })
})
