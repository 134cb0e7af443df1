/** Tests in a real browser that the page saves files for `sourcewire serve --replies`, and that the bridge can serve pasted bytes. */
import { startServer } from "@sourcewire/emulator"
import { connect } from "@sourcewire/transport-node"
import { layer as transport } from "@sourcewire/transport-node/effect"
import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Page } from "playwright-core"
import { setStage, type Stage } from "./stage.ts"

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
}, 120_000)
afterAll(() => stage[Symbol.asyncDispose]())

const CHALLENGE = "ffffffff4101020304"
const RULES = "ffffffff4501006100620000"

/** Clicks an element that saves a file, and returns the content of the file. */
const saved = async (page: Page, selector: string): Promise<unknown> => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)])
  expect(download.suggestedFilename()).toBe("replies.json")
  return JSON.parse(readFileSync(await download.path(), "utf8"))
}

describe("a serve profile", () => {
  it("can be saved from pasted bytes that include a challenge, and the bridge can serve the bytes", async () => {
    const { errors, page } = await stage.open("decode")
    await page.fill("#bytes", `${CHALLENGE}\n${RULES}`)
    await page.click("#datagrams >> text=S2A_RULES")
    await page.click("text=Serve these bytes")
    const expected = { replies: [{ request: "rules", challenge: CHALLENGE, datagrams: [RULES] }] }
    expect(await saved(page, ".serve >> text=Save serve profile")).toEqual(expected)
    await page.click("summary:text-is('Export')")
    expect(await saved(page, ".menu >> text=Save serve profile")).toEqual(expected)
    await page.click("text=Start server")
    await page.waitForSelector(".served >> text=Point your client at")
    await using client = await connect()
    const address = (await page.textContent(".served code"))!
    expect(await client.rules(address)).toMatchObject({ rules: [{ name: "a", value: "b" }] })
    expect(errors).toEqual([])
    await page.context().close()
  })

  it("can be saved from a live query, and the page reports an error if there is no reply", async () => {
    await using server = await startServer({ transport, profile: "css" })
    const { errors, page } = await stage.open(`query?a=127.0.0.1:${server.port}`)
    await page.click(".bar >> button:text-is('Query')")
    await page.waitForSelector(".answers")
    await page.click("summary:text-is('Export')")
    expect(await saved(page, ".menu >> text=Save serve profile")).toMatchObject({
      replies: [{ request: "info" }, { request: "players" }, { request: "rules" }]
    })
    await page.goto(page.url().replace(/#.*/, "#decode"))
    await page.fill("#bytes", CHALLENGE)
    await page.click("summary:text-is('Export')")
    await page.click(".menu >> text=Save serve profile")
    await page.waitForSelector(".menu [role=alert] >> text=no reply to INFO")
    expect(errors).toEqual([])
    await page.context().close()
  })
})
