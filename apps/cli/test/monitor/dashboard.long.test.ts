/** Tests the monitor's page in a real browser, with emulated servers on loopback. */
import { launch } from "@sourcewire/testing/browser"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { buildPage, problemsOn, SCREENS } from "./dashboard/stage.ts"
import { bundle, objects, type Running, start } from "../runCli.ts"

const NAME = "<img src=x onerror=alert(1)>"

let browser: Awaited<ReturnType<typeof launch>>
let directory: string
const running: Array<Running> = []
let address: string
let url: string
let began: number

const printed = async (args: ReadonlyArray<string>, home = directory) => {
  const process = start(args, { env: { XDG_STATE_HOME: home, XDG_CONFIG_HOME: home } })
  running.push(process)
  await process.printed("\n")
  return objects(process.output().stdout)[0]!
}

/** Starts a monitor with a store in memory and a new home directory. Returns the URL of the monitor. */
const startEmpty = async (name: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const home = await mkdtemp(join(directory, `${name}-`))
  return String(
    (await printed(["monitor", "--json", "--bind", "127.0.0.1:0", "--store", ":memory:", ...args], home))["url"]
  )
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "sourcewire-dashboard-"))
  // If the tested program consists of a folder of files, the program reads the page from this folder. Therefore the page must be built
  // first. A single-file program already contains the page.
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

describe("the dashboard", () => {
  it("shows data within ten seconds of the monitor's start, and runs no script from a server's name", async () => {
    const { errors, page } = await open()
    const row = page.locator(".row", { hasText: NAME })
    await row.locator(".state-up").waitFor()
    // This monitor does not use the setting `verdicts`. Therefore the list contains no elements for findings.
    expect(await page.locator(".columns .cell-findings, [aria-label=Findings]").count()).toBe(0)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(await page.locator(".row img").count()).toBe(0)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it.each(SCREENS)("lists servers, and shows the page of a server: $screen", async ({ context }) => {
    const { errors, page } = await open({ ...context, bypassCSP: true })
    await page.waitForSelector(".row .state-up")
    expect(await problemsOn(page)).toEqual([])
    await page.locator(".row", { hasText: NAME }).click()
    await page.waitForSelector(".plot canvas")
    await page.waitForSelector(".panel td")
    expect(await page.locator(".plot").count()).toBe(4)
    // The plot begins with the hour of the first data, and a hint contains the time of the first data.
    await page.waitForSelector(".hint:has-text('The first data is from ')")
    const cells = await page.locator(".strip span").count()
    expect(cells).toBeGreaterThanOrEqual(12)
    expect(cells).toBeLessThanOrEqual(13)
    await page.waitForSelector(".bands li:has-text('de_dust2'), .bands li:not(:empty)")
    await page.waitForSelector(".busy:has-text('Available after one day of data.')")
    await page.click("button:text-is('7 days')")
    expect(page.url()).toContain("days=7")
    expect(await problemsOn(page)).toEqual([])
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("lets the user search for a server and open its page with the keyboard", async () => {
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

  describe("if the monitor has no servers", () => {
    let own: string
    beforeAll(async () => {
      own = await startEmpty("empty")
    })

    it.each(SCREENS)("a user can add, edit, remove and restore a server: $screen", async ({ context }) => {
      const { errors, page } = await open({ ...context, bypassCSP: true }, "", own)
      await page.waitForSelector("text=No servers yet")
      expect(await problemsOn(page)).toEqual([])
      await page.fill("[name=address]", "no/address")
      await page.keyboard.press("Enter")
      await page.waitForSelector("[role=status].wrong")
      await page.fill("[name=address]", address)
      await page.click("button:text-is('Add server')")
      await page.locator(".row .state-up").waitFor()
      await page.locator("a.row").click()
      await page.click("button:text-is('Edit')")
      await page.fill("[name=name]", "Our first")
      await page.fill("[name=group]", "friends")
      await page.fill("[name=labels]", "region=eu")
      expect(await problemsOn(page)).toEqual([])
      await page.click("button:text-is('Save')")
      await page.waitForSelector("h2:has-text('Our first')")
      await page.waitForSelector(".facts div:has(dt:text-is('Group')):has-text('friends')")
      await page.waitForSelector(".facts div:has(dt:text-is('region')):has-text('eu')")
      await page.click("button:text-is('Remove')")
      await page.waitForSelector("text=No servers yet")
      await page.waitForSelector("text=Removed Our first. Its history is kept.")
      expect(await problemsOn(page)).toEqual([])
      await page.click("button:text-is('Undo')")
      await page.locator(".row", { hasText: "Our first" }).locator(".state-up").waitFor()
      expect(await page.locator(".undo").count()).toBe(0)
      // The server is removed again, so that the test on the next screen starts with an empty list. The page requests the data of a server
      // every two seconds. When the user has clicked on Remove, the page must stop these requests. To detect a further request, the test
      // delays the reply to the removal by three seconds.
      await page.route("**/api/targets/*", async (route) => {
        if (route.request().method() !== "DELETE") return route.continue()
        const response = await route.fetch()
        await page.waitForTimeout(3000)
        await route.fulfill({ response })
      })
      await page.locator("a.row").click()
      await page.click("button:text-is('Remove')")
      await page.waitForSelector("text=No servers yet")
      // Earlier in this test, the monitor rejected a request with the status 422. The browser wrote this error to its console.
      expect(errors).toEqual([expect.stringContaining("422")])
      await page.context().close()
    })
  })

  it.each(SCREENS)(
    "shows a preview of a list of servers, and adds the selected servers: $screen",
    async ({ context }) => {
      const { errors, page } = await open({ ...context, bypassCSP: true }, "", await startEmpty("many"))
      await page.click("button:text-is('Add many')")
      const list = `${address} # ours\n127.0.0.1:1, not/an/address\n${address}\n`
      await page.setInputFiles("input[type=file]", {
        name: "list.txt",
        mimeType: "text/plain",
        buffer: Buffer.from(list)
      })
      await page.waitForFunction("document.querySelector('[name=addresses]').value.includes('# ours')")
      await page.click("button:text-is('Preview')")
      await page.waitForSelector("text=1 of 3 servers replied.")
      const rows = page.locator(".preview tbody tr")
      expect(await rows.count()).toBe(3)
      expect(await rows.nth(0).textContent()).toContain(NAME)
      expect(
        await rows
          .locator("input[type=checkbox]")
          .evaluateAll((boxes) =>
            boxes.map((box) => [
              (box as unknown as { checked: boolean }).checked,
              (box as unknown as { disabled: boolean }).disabled
            ])
          )
      ).toEqual([
        [true, false],
        [false, false],
        [false, true]
      ])
      expect(await problemsOn(page)).toEqual([])
      await rows.nth(1).locator("input[type=checkbox]").check()
      await rows.nth(1).locator("input:not([type=checkbox])").fill("Dead one")
      await page.fill(".add-many [name=group]", "club")
      await page.fill(".add-many [name=labels]", "region=eu")
      await page.click("button:text-is('Add 2 servers')")
      await page.locator(".row", { hasText: NAME }).locator(".state-up").waitFor()
      await page.locator(".row", { hasText: "Dead one" }).waitFor()
      const { targets } = await page.evaluate<{ targets: ReadonlyArray<object> }>(
        "fetch('api/targets').then((response) => response.json())"
      )
      expect(targets.map((target) => ("group" in target ? target.group : undefined))).toEqual(["club", "club"])
      expect(targets[0]).toMatchObject({ labels: { region: "eu" } })
      expect(errors).toEqual([])
      await page.context().close()
    }
  )

  describe("on its page for webhooks", () => {
    const bodies: Array<string> = []
    const receiver = createServer((request, response) => {
      request.setEncoding("utf8").on("data", (body: string) => void bodies.push(body))
      request.on("end", () => response.writeHead(204).end())
    })
    let target: string
    let configured: string
    let empty: string
    beforeAll(async () => {
      receiver.listen(0, "127.0.0.1")
      await once(receiver, "listening")
      target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/secret`
      const config = join(directory, "webhooks.json")
      // Each screen tests a different webhook, because a webhook can be tested only once in five seconds.
      const webhooks = SCREENS.map(({ screen }) => ({
        name: screen,
        url: target,
        format: "discord",
        allowLocal: true
      }))
      await writeFile(config, JSON.stringify({ groups: [{ name: "all", targets: [address] }], webhooks }))
      configured = await startEmpty("configured", "--config", config)
      empty = await startEmpty("hooks")
    })
    afterAll(() => void receiver.close())

    it.each(SCREENS)(
      "sends a test message to a webhook that the configuration file defines: $screen",
      async ({ context, screen }) => {
        const { page } = await open({ ...context, bypassCSP: true }, "#/webhooks", configured)
        const hook = page.locator("li", { hasText: screen })
        bodies.length = 0
        await hook.locator("button:text-is('Send test')").click()
        await hook.locator("text=Accepted: status 204").waitFor()
        expect(bodies.map((body): unknown => JSON.parse(body))).toEqual([
          { content: expect.stringContaining("Test message of the Sourcewire monitor") }
        ])
        expect(await page.content()).not.toContain("secret")
        await hook.locator("button:text-is('Send test')").click()
        await page.waitForSelector(`text=Webhook ${screen} was tested less than 5 seconds ago.`)
        // Only the configuration file defines these webhooks. The page can test the webhooks, but cannot add webhooks.
        expect(await page.locator("text=Add a webhook").count()).toBe(0)
        expect(await problemsOn(page)).toEqual([])
        await page.context().close()
      }
    )

    it.each(SCREENS)("adds, tests and removes a webhook: $screen", async ({ context, screen }) => {
      const { page } = await open({ ...context, bypassCSP: true }, "#/webhooks", empty)
      await page.waitForSelector("text=No webhooks yet.")
      // Each screen uses a different name, because a webhook can be tested only once in five seconds.
      await page.fill("[name=webhook-name]", `club-${screen}`)
      await page.fill("[name=webhook-url]", target)
      await page.selectOption("[aria-label=Format]", "json")
      await page.click("button:text-is('Add webhook')")
      await page.waitForSelector("li:has-text('club')")
      // If a webhook was added on the page, the monitor does not send the webhook's messages to local addresses.
      await page.click("button:text-is('Send test')")
      await page.waitForSelector("text=/Not accepted: .*is an address of a local or reserved network/")
      expect(await problemsOn(page)).toEqual([])
      await page.click("button:text-is('Remove')")
      await page.waitForSelector("text=No webhooks yet.")
      await page.context().close()
    })
  })

  it.each(SCREENS)("shows the instances that share servers: $screen", async ({ context }) => {
    const report = { upMs: 7_200_000, targets: 41_000, perSecond: 2733, waiting: 0, lagMs: 40, wroteMs: 210, lost: 0 }
    const there = {
      alive: true,
      silentMs: 900,
      slices: 150,
      report: { ...report, version: "1.2.3", location: "eu-west" }
    }
    const overview = (await (await fetch(`${url}/api/overview`)).json()) as object
    const { errors, page } = await open({ ...context, bypassCSP: true })
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
    await page.reload()
    await page.click("a:text-is('Instances')")
    await page.waitForSelector("td .state-up:text-is('up 2 h')")
    await page.waitForSelector("td .state-down:text-is('no report for 12 s')")
    await page.waitForSelector("text=150 slices of stopped instances")
    expect(await problemsOn(page)).toEqual([])
    expect(errors).toEqual([])
    // Requests may be in flight when the page is closed. Therefore errors in the route handlers of this test are ignored.
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await page.context().close()
  })

  it.each(SCREENS)(
    "begins the list with the servers that are down, and shows since when and why they are down: $screen",
    async ({ context }) => {
      const { errors, page } = await open(context)
      const first = page.locator("#servers-0")
      await first.locator(".state-down").waitFor()
      await first.locator("text=/^down since \\d\\d:\\d\\d · .+ 127\\.0\\.0\\.1:1$/").waitFor()
      expect(await first.locator(".cell-problems small").isVisible()).toBe(true)
      await page.locator("#servers-1 .state-up").waitFor()
      expect(errors).toEqual([])
      await page.context().close()
    }
  )

  it.each(SCREENS)(
    "shows incidents by default on the page of events, and lets the user export the incidents: $screen",
    async ({ context }) => {
      const { errors, page } = await open({ ...context, bypassCSP: true }, "#/events")
      const row = page.locator(".incidents tbody tr")
      await row.locator("text=down now").waitFor()
      expect(await row.count()).toBe(1)
      expect(await row.locator("[data-title=Duration]").textContent()).toMatch(/^\d+ (s|min \d+ s)$/)
      expect(await row.locator("[data-title=Reason]").textContent()).not.toBe("")
      expect(await problemsOn(page)).toEqual([])
      const csv = await page.evaluate<string>(
        "fetch(document.querySelector('.exports a').href).then((response) => response.text())"
      )
      expect(csv.split("\n")[1]).toMatch(/^127\.0\.0\.1:1,/)
      await page.fill(".server-filter input", "onerror")
      await page.locator(".server-filter button").click()
      await page.waitForSelector("text=No server was down in this period.")
      await page.click("button:text-is('Maps')")
      expect(page.url()).toContain("field=map")
      expect(errors).toEqual([])
      await page.context().close()
    }
  )

  it("has a status page for a public group, and lets other sites show the embeddable page of this group, but no other page", async () => {
    const config = join(directory, "status.json")
    const groups = [
      { name: "public", targets: [address, "127.0.0.1:1"], intervalMs: 1000, downAfter: 1 },
      { name: "private", targets: ["127.0.0.1:2"] }
    ]
    await writeFile(config, JSON.stringify({ groups, publicStatus: ["public"] }))
    const own = await printed(["monitor", "--json", "--bind", "127.0.0.1:0", "--store", ":memory:", "--config", config])
    const at = String(own["url"])
    const { page } = await open({}, "", at)
    await page.selectOption("[aria-label=Group]", "public")
    await page.waitForSelector("button:text-is('Copy embed code')")
    await page.waitForSelector(".row .state-up")
    await page.click("a:text-is('Status page')")
    await page.waitForSelector("h1:has-text('public')")
    await page.context().close()
    const served = async (): Promise<string> => (await fetch(`${at}/status/public`)).text()
    await expect.poll(served, { timeout: 90_000 }).toContain("1 server down, 1 server up.")
    for (const { context } of SCREENS) {
      const { errors, page } = await open({ ...context, bypassCSP: true }, "status/public", at)
      await page.waitForSelector("text=1 server down, 1 server up.")
      await page.waitForSelector(`th:has-text('${NAME}')`)
      expect(await page.locator("img").count()).toBe(0)
      expect(await problemsOn(page)).toEqual([])
      // The browser requests an icon for the page. Because the page has no icon, the monitor responds with 404.
      expect(errors.filter((error) => !error.includes("404 (Not Found)"))).toEqual([])
      await page.context().close()
    }
    // A page of another site contains frames with pages of the monitor.
    const frames = ["embed/public", "embed/private", "status/public", ""].map(
      (path) => `<iframe src="${at}/${path}"></iframe>`
    )
    const site = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end(frames.join(""))
    }).listen(0, "127.0.0.1")
    await once(site, "listening")
    const { page: other } = await open({}, "", `http://127.0.0.1:${(site.address() as AddressInfo).port}`)
    await other.frameLocator("iframe >> nth=0").locator("text=1 server down, 1 server up.").waitFor()
    expect(
      other
        .frames()
        .slice(2)
        .map((frame) => frame.url())
    ).toEqual(Array(3).fill("chrome-error://chromewebdata/"))
    await other.context().close()
    site.close()
  }, 240_000)

  it("can be printed in light colours, without controls and without truncated text", async () => {
    const { errors, page } = await open({ colorScheme: "dark", viewport: { width: 800, height: 500 } })
    await page.waitForSelector(".row .state-up")
    await page.emulateMedia({ media: "print", colorScheme: "dark" })
    await page.waitForSelector(".list:not([role]) .row .state-up")
    const isShown = async (selector: string): Promise<boolean> => page.locator(selector).first().isVisible()
    expect(await Promise.all(["nav", ".theme", ".search"].map(isShown))).toEqual([false, false, false])
    expect(await page.locator(".row").count()).toBe(2)
    expect(
      await page.evaluate(
        "[...document.querySelectorAll('.cell-name small')].every(({ clientWidth, scrollWidth }) => scrollWidth <= clientWidth + 1)"
      )
    ).toBe(true)
    const colours = () =>
      page.evaluate<ReadonlyArray<string>>(
        "(({ color, colorScheme }) => [color, colorScheme])(getComputedStyle(document.documentElement.querySelector('body')))"
      )
    expect(await colours()).toEqual(["rgb(22, 33, 31)", "light"])
    await page.emulateMedia({ media: "screen", colorScheme: "dark" })
    expect(await colours()).toEqual(["rgb(227, 233, 230)", "light dark"])
    await page.locator("a.row", { hasText: NAME }).click()
    await page.waitForSelector(".plot canvas")
    await page.waitForSelector(".panel td")
    await page.emulateMedia({ media: "print" })
    expect(await Promise.all(["nav", "main button", ".badge", ".spans form"].map(isShown))).toEqual([
      false,
      false,
      false,
      false
    ])
    expect(
      await page.evaluate(
        "[...document.querySelectorAll('.scroll')].every(({ clientHeight, scrollHeight }) => scrollHeight <= clientHeight + 1)"
      )
    ).toBe(true)
    const pdf = await page.pdf({ format: "A4" })
    expect(pdf.length).toBeGreaterThan(10_000)
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("on a phone, keeps its layout even if names are long or contain stacked characters or right-to-left text", async () => {
    const stacked = `Z${"\u0335\u0301\u0320".repeat(40)}algo \u05d0\u05d1 x`
    const wide = "W".repeat(60)
    const { page } = await open({ viewport: { width: 390, height: 780 } })
    await page.waitForSelector(".row .state-up")
    const { targets } = await page.evaluate<{ targets: ReadonlyArray<{ id: number; state: string }> }>(
      "fetch('api/targets').then((response) => response.json())"
    )
    const up = targets.find(({ state }) => state === "up")!
    await page.route("**/api/targets?*", (route) =>
      route.fulfill({ json: { total: 1, targets: [{ ...up, name: stacked, map: stacked }] } })
    )
    await page.route(/\/api\/targets\/\d+$/, async (route) => {
      const detail = (await (await route.fetch()).json()) as { target: object; answer: object }
      const players = {
        players: [
          { index: 0, name: wide, score: 1, duration: 1 },
          { index: 1, name: stacked, score: 1, duration: 1 }
        ]
      }
      const rules = {
        rules: [
          { name: wide, value: wide },
          { name: stacked, value: stacked }
        ]
      }
      const locations = [{ location: "w".repeat(64), counts: true, state: "up", failures: 0, rttMs: 1 }]
      await route.fulfill({
        json: {
          ...detail,
          target: { ...detail.target, name: stacked, map: stacked },
          answer: { ...detail.answer, players, rules },
          locations
        }
      })
    })
    await page.reload()
    await page.waitForSelector(".row:has-text('algo')")
    // The list isolates the name of a server with a `bdi` element. The title of the page uses control characters instead, because a title
    // cannot contain elements.
    expect(await page.locator(".row .cell-name b bdi").count()).toBe(1)
    await page.evaluate(`location.hash = "#/server/${up.id}"`)
    await page.waitForSelector("h2:has-text('algo')")
    await page.waitForSelector(".rules td")
    await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/^\u2068Z.*x\u2069 – Sourcewire monitor$/)
    const beyond = await page.evaluate<ReadonlyArray<string>>(`
      document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .filter((element) => element.closest("pre, .scroll") === null)
        .map((element) => element.outerHTML.slice(0, 100))`)
    expect(beyond).toEqual([])
    const narrow = await page.evaluate<ReadonlyArray<string>>(`
      [...document.querySelectorAll("main :is(td, th)")]
        .filter((cell) => cell.closest(".busy") === null && cell.textContent.trim().length > 3 && cell.clientWidth < 40)
        .map((cell) => cell.outerHTML)`)
    expect(narrow).toEqual([])
    const clipped = await page.evaluate<ReadonlyArray<string>>(`
      [...document.querySelectorAll("main bdi")]
        .filter((bdi) => bdi.textContent.includes("algo"))
        .filter((bdi) => {
          for (let element = bdi; element !== null && element.tagName !== "MAIN"; element = element.parentElement) {
            if (getComputedStyle(element).overflowY !== "visible") return false
          }
          return true
        })
        .map((bdi) => bdi.parentElement.outerHTML.slice(0, 80))`)
    expect(clipped).toEqual([])
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await page.context().close()
  })

  it.each(SCREENS)("mutes and unmutes a server: $screen", async ({ context }) => {
    const { errors, page } = await open({ ...context, bypassCSP: true })
    await page.locator(".row", { hasText: "127.0.0.1:1" }).first().click()
    await page.click("button:text-is('Mute')")
    await page.waitForSelector("h2 .state-muted")
    await page.waitForSelector("text=/muted until .*\\d\\d:\\d\\d/")
    expect(await problemsOn(page)).toEqual([])
    await page.click("button:text-is('Unmute')")
    await page.waitForSelector("h2 .state-down")
    await page.waitForSelector("button:text-is('Mute')")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it.each(SCREENS)(
    "reports that a page does not exist, keeps the chosen theme after a reload, and draws plots in the theme's colours: $screen",
    async ({ context }) => {
      const { page } = await open({ ...context, bypassCSP: true }, "#/nonsense")
      await page.waitForSelector("h2:text-is('Page not found')")
      expect(await problemsOn(page)).toEqual([])
      await page.selectOption(".theme select", "dark")
      await page.reload()
      expect(await page.getAttribute("html", "data-theme")).toBe("dark")
      await page.click("nav >> text=Servers")
      await page.locator("a.row", { hasText: NAME }).click()
      await page.waitForSelector(".plot canvas")
      /** Returns whether any pixel of the plot has this colour. The arguments are the red, green and blue components of the colour. */
      const hasLine = (...colour: ReadonlyArray<number>) =>
        page.evaluate<boolean>(`
        (() => {
          const canvas = document.querySelector(".wide canvas")
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
          const colour = ${JSON.stringify(colour)}
          for (let i = 0; i < data.length; i += 4) if (colour.every((value, at) => data[i + at] === value)) return true
          return false
        })()`)
      const [dark, light] = [
        [95, 208, 191],
        [11, 95, 87]
      ]
      await expect.poll(() => hasLine(...dark), { timeout: 30_000 }).toBe(true)
      await page.selectOption(".theme select", "light")
      await expect.poll(() => hasLine(...light), { timeout: 30_000 }).toBe(true)
      expect(await hasLine(...dark)).toBe(false)
      await page.context().close()
    }
  )

  it("updates the title of the page while the tab is in the background", async () => {
    const { page } = await open()
    await expect.poll(() => page.title(), { timeout: 30_000 }).toMatch(/^\u2068?1 down, 1 up/)
    const overview = await page.evaluate<object>("fetch('api/overview').then((response) => response.json())")
    await page.evaluate(`
      Object.defineProperty(document, "hidden", { value: true })
      document.dispatchEvent(new Event("visibilitychange"))`)
    await page.route("**/api/overview", (route) => route.fulfill({ json: { ...overview, up: 0, down: 2 } }))
    await expect.poll(() => page.title(), { timeout: 40_000 }).toMatch(/^\u2068?2 down, 0 up/)
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await page.context().close()
  })

  it("if the monitor is frozen, reports that the connection is lost, and recovers when the monitor continues", async () => {
    const own = start(["monitor", "--json", "--bind", "127.0.0.1:0", "--store", ":memory:", address], {
      env: { XDG_STATE_HOME: directory, XDG_CONFIG_HOME: directory }
    })
    running.push(own)
    await own.printed("\n")
    const at = String(objects(own.output().stdout)[0]!["url"])
    const pages = await Promise.all(
      SCREENS.map(async ({ context }) => (await open({ ...context, bypassCSP: true }, "", at)).page)
    )
    for (const page of pages) {
      await page.waitForSelector(".row .state-up")
      await page.waitForSelector("text=/updated [0-3] s ago/")
    }
    own.child.kill("SIGSTOP")
    try {
      for (const page of pages) {
        await page.waitForSelector("text=/No connection to the monitor since \\d\\d:\\d\\d/", { timeout: 20_000 })
        expect(await page.title()).toMatch(/^No connection/)
        expect(await page.locator("[role=alert]").count()).toBe(1)
        expect(await problemsOn(page)).toEqual([])
        expect(await page.locator(".row .state-up").count()).toBe(1)
      }
    } finally {
      own.child.kill("SIGCONT")
    }
    for (const page of pages) {
      // After a slow reply, the page waits at most ten seconds before its next request.
      await page.waitForSelector("[role=alert]", { state: "detached", timeout: 20_000 })
      await page.waitForSelector("text=/updated [0-3] s ago/")
      expect(await page.title()).toMatch(/^\u2068?0 down, 1 up/)
      await page.context().close()
    }
  })

  it("reports a search without results, an unknown server, and a lost connection", async () => {
    const { page } = await open({}, "#/?q=nowhere")
    await page.waitForSelector("text=No servers match.")
    await page.click("button:text-is('Show all')")
    await page.waitForSelector(".row")
    await page.evaluate("location.hash = '#/server/999'")
    await page.waitForSelector("text=No target has the number 999.")
    await page.context().setOffline(true)
    await page.waitForSelector("text=/No connection to the monitor since \\d\\d:\\d\\d/")
    expect(await page.locator("[role=alert]").count()).toBe(1)
    await page.context().close()
  })
})
