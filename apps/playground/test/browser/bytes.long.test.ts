import { seriousFindings } from "@sourcewire/testing/accessibility"
import { connect } from "@sourcewire/transport-node"
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { readExample } from "../../src/examples/examples.ts"
import { toHex } from "@sourcewire/protocol"
import { copy } from "./stage.ts"
import { setStaticStage, type StaticStage } from "./staticPage.ts"

let stage: StaticStage
beforeAll(async () => {
  stage = await setStaticStage()
}, 600_000)
afterAll(() => stage[Symbol.asyncDispose]())

const formatHex = (example: string) =>
  readExample(example)
    .map(({ bytes }) => toHex(bytes))
    .join("\n")
const INFO = formatHex("info-css")

const open = async (bytes: string, options?: BrowserContextOptions) => {
  const opened = await stage.openStatic("", options)
  await opened.page.fill("#bytes", bytes)
  await opened.page.waitForSelector("#inspector-bytes")
  return opened
}
const field = (page: Page, name: string) => page.textContent(`#inspector-fields [data-field='${name}'] .field-value`)
const shows = (page: Page, name: string, value: string) =>
  page.waitForSelector(`#inspector-fields [data-field='${name}'] .field-value:has-text('${value}')`)

describe("the byte editor", () => {
  it("overwrites, inserts, deletes and restores bytes, and updates the fields", async () => {
    const { errors, page } = await open(INFO)
    const before = await field(page, "protocol")
    await page.click("[data-at='0:5']")
    await page.keyboard.type("07")
    await shows(page, "protocol", "7")
    // The cursor is now at the first byte of the name.
    await page.keyboard.press("Delete")
    await page.check(".edit-bar input[type=checkbox]")
    await page.click("[data-at='0:6']")
    await page.keyboard.type("5a59")
    await shows(page, "name", '"ZY')
    expect(await page.inputValue("#bytes")).toMatch(/^ffffffff49075a59/)
    expect(await page.textContent(".paste output")).toContain("Edited: 1 datagram")
    for (let left = 4; left > 0; left--) await page.keyboard.press("ControlOrMeta+z")
    await shows(page, "protocol", before!)
    expect(await page.inputValue("#bytes")).toBe(INFO)
    await page.keyboard.press("ControlOrMeta+Shift+z")
    await shows(page, "protocol", "7")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("truncates a reply, and the page reports the problem", async () => {
    const { page } = await open(INFO)
    await page.click("[data-at='0:20']")
    await page.click("text=Truncate here")
    await page.waitForSelector(".inspector .problem")
    expect(await page.inputValue("#bytes")).toBe(INFO.slice(0, 40))
    await page.context().close()
  })

  it("drops and swaps fragments, and invalidates a checksum", async () => {
    const { errors, page } = await open(formatHex("made-compressed"))
    const rows = () => page.locator("#datagrams .datagram").count()
    const bytes = await page.inputValue("#bytes")
    const all = await rows()
    await page.click("[data-at='0:0']")
    await page.click("text=Swap these fragments")
    await page.waitForFunction((old) => document.querySelector<HTMLTextAreaElement>("#bytes")?.value !== old, bytes)
    expect((await page.inputValue("#bytes")).split("\n").toSorted()).toEqual(bytes.split("\n").toSorted())
    expect(await rows()).toBe(all)
    await page.click("button:text-is('Undo')")
    await page.click("text=Wrong checksum")
    await page.waitForSelector("#datagrams >> text=the CRC32 of a compressed reply")
    // All fragments are copied, even though they cannot be joined.
    expect((await copy(page, "button:text-is('Copy as')")).trim().split("\n").length).toBe(2)
    await page.click("button:text-is('Undo')")
    await page.waitForSelector("#datagrams .joined, #datagrams .datagram >> text=S2A_")
    await page.click("[data-at='0:0']")
    await page.click("text=Drop this fragment")
    await page.waitForFunction(() => !document.querySelector<HTMLTextAreaElement>("#bytes")?.value.includes("\n"))
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("copies bytes as a fixture, as a profile and in other notations", async () => {
    const { page } = await open(INFO)
    const notations: Record<string, RegExp> = {
      hex: /^ffffffff49/,
      dump: /^00000000: ffff ffff 49/,
      base64: /^\/\/\/\/\/0k/,
      c: /unsigned char datagram_1\[\d+\] = \{\n {2}0xff, 0xff/,
      python: /bytes\.fromhex\("ffffffff49/,
      typescript: /Uint8Array\.of\(\n {2}0xff/,
      fixture: /"source": "made in the Sourcewire playground, \d{4}-\d\d-\d\d"[^]*"_tag": "InfoReply"/,
      server: /startServer\([^]*readRequest\(datagram\) !== "info"/
    }
    for (const [value, expected] of Object.entries(notations)) {
      await page.selectOption("[aria-label='Notation']", value)
      expect(await copy(page, "button:text-is('Copy as')")).toMatch(expected)
    }
    await page.context().close()
  })
})

describe("the button “Serve these bytes”", () => {
  it("starts a server; if the served reply is truncated, a query of this server fails in the page", async () => {
    const { errors, page } = await open(INFO, { bypassCSP: true })
    await page.click("[data-at='0:20']")
    await page.click("text=Truncate here")
    await page.click("text=Serve these bytes")
    expect(await seriousFindings(page)).toEqual([])
    await page.click("text=Start server")
    await page.waitForSelector(".served")
    await page.click(".served >> text=Query it")
    await page.waitForSelector(".problem >> text=/ends inside InfoReply/")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("shows a warning if the bytes are a request", async () => {
    const { errors, page } = await open("ffffffff54536f7572636520456e67696e6520517565727900")
    await page.click("text=Serve these bytes")
    expect(await page.textContent(".serve")).toContain("The chosen message is a request.")
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("starts a server that sends the bytes to any client", async () => {
    const { errors, page } = await stage.open("decode")
    await page.fill("#bytes", INFO)
    await page.waitForSelector("#inspector-bytes")
    await page.click("text=Serve these bytes")
    await page.click("text=Start server")
    await page.waitForSelector(".served >> text=Point your client at")
    const address = (await page.textContent(".served code"))!
    await using client = await connect()
    expect(await client.info(address)).toMatchObject({ _tag: "InfoReply" })
    expect(errors).toEqual([])
    await page.context().close()
  })
})
