/**
 * Photographs each view into `docs/screenshots` at the root of the repository. Everything in the pictures is real: the examples, and
 * emulated servers queried over UDP.
 */
import type { BrowserContextOptions, Page } from "playwright-core"
import { setStage } from "../test/browser/stage.ts"
import { photograph } from "@sourcewire/testing/photographs"

const start = async (page: Page): Promise<void> => {
  await page.click(".step:has-text('The server replies')")
  await page.click("[data-block='map']")
  await page.mouse.move(0, 0)
}

const decode = async (page: Page): Promise<void> => {
  await page.click("nav >> text=Examples")
  await page.click('[data-example="rules-goldsource-split"]')
  await page.waitForSelector("#inspector-bytes")
  await page.evaluate(() => void (document.querySelector("#inspector-fields")!.scrollTop = 71 * 24))
  await page.locator('[data-field="rules[75]"]').click()
  await page.mouse.move(0, 0)
}

const encode = async (page: Page): Promise<void> => {
  await page.click("nav >> text=Encode")
  await page.focus("[id='map']")
}

const query = async (page: Page): Promise<void> => {
  await page.click("nav >> text=Query")
  await page.click("nav >> text=Emulator")
  await page.fill(".faults label:has(code:text-is('drop-first')) input", "1")
  await page.click("button:text-is('Start')")
  await page.click(".running li button:text-is('Query')")
  await page.waitForSelector(".info-card")
  await page.locator(".arrow").last().click()
  await page.mouse.move(0, 0)
}

const servers = async (page: Page): Promise<void> => {
  await page.click("nav >> text=Emulator")
  await page.fill(".faults label:has(code:text-is('drop-first')) input", "")
  await page.fill(".faults label:has(code:text-is('loss')) input", "0.1")
  await page.selectOption(".emulate select", "cs16")
  await page.click("button:text-is('Start')")
  await page.waitForFunction(() => document.querySelectorAll(".running li").length === 2)
}

const watch = async (page: Page): Promise<void> => {
  await page.fill(".faults label:has(code:text-is('loss')) input", "")
  await page.click(".running li button:text-is('Query')")
  await page.waitForSelector(".info-card")
  await page.click("nav >> text=Watch")
  await page.selectOption(".pane select", "500")
  await page.click("button.primary:text-is('Watch')")
  await page.waitForFunction(() => /(1[2-9]|[2-9]\d) queries/.test(document.querySelector(".pane")?.textContent ?? ""))
  await page.click("button:text-is('Stop')")
}

const rcon = async (page: Page): Promise<void> => {
  await page.click("nav >> text=Console")
  await page.fill("[name=password]", "playground")
  for (const command of ["status", "sv_gravity"]) {
    const before = await page.locator(".console .reply").count()
    await page.fill("[name=command]", command)
    await page.click("button:text-is('Run')")
    await page.waitForFunction((count) => document.querySelectorAll(".console .reply").length > count, before)
  }
}

const stopAll = async (page: Page): Promise<void> => {
  await page.click("nav >> text=Emulator")
  await page.click("button:text-is('Stop all')")
  await page.waitForSelector(".running:empty", { state: "attached" })
}

const list = async (page: Page): Promise<void> => {
  await stopAll(page)
  await page.fill(".faults label:has(code:text-is('drop-first')) input", "")
  for (const profile of ["css", "tf2", "rust", "cs16", "ship", "arma3", "dayz"]) {
    await page.selectOption(".emulate select", profile)
    await page.fill(".bar input.short", "3")
    const before = await page.locator(".running li").count()
    await page.click("button:text-is('Start')")
    await page.waitForFunction((count) => document.querySelectorAll(".running li").length > count, before)
  }
  await page.click("nav >> text=Browser")
  await page.click("text=Add the emulated servers")
  await page.click("text=Query all")
  await page.waitForSelector("output[data-done='21']")
}

const examples = async (page: Page): Promise<void> => {
  await stopAll(page)
  await page.click("nav >> text=Examples")
}

await using stage = await setStage({ rcon: true })
const open = (context: BrowserContextOptions) => stage.open("decode", context)
await photograph(
  { browser: stage.browser, open },
  { start, decode, encode, query, servers, watch, rcon, list, examples }
)
