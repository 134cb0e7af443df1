import { describe, expect, it } from "vitest"
import { isJson, isOwnHost, makeToken, refusal } from "../../bridge/guard.ts"

describe("the guard", () => {
  it.each([
    ["application/json", true],
    ["Application/JSON ; charset=utf-8", true],
    [undefined, false],
    ["", false],
    ["text/plain", false],
    ["text/plain; application/json", false],
    ["text/plain, application/json", false],
    ["application/json, text/plain", false],
    ["application/json-patch+json", false]
  ])("determines whether the content type %j is JSON: %j", (type, outcome) => {
    expect(isJson({ "content-type": type })).toBe(outcome)
  })

  it("accepts its own host names in upper and lower case, and rejects other host names", () => {
    const guard = { hosts: new Set(["127.0.0.1:80", "localhost:80"]), token: makeToken() }
    expect(["127.0.0.1:80", "LOCALHOST:80"].every((host) => isOwnHost({ host }, guard))).toBe(true)
    const others = [undefined, "", "127.0.0.1", "127.0.0.1:8", "127.0.0.1:800", "evil.example:80", "localhost:80."]
    expect(others.filter((host) => isOwnHost({ host }, guard))).toEqual([])
  })

  it("accepts requests with the token, and explains rejections", () => {
    const guard = { hosts: new Set(["localhost:80"]), token: makeToken() }
    const own = { host: "localhost:80", authorization: `Bearer ${guard.token}` }
    expect(refusal(own, guard)).toBeUndefined()
    expect(refusal({ ...own, origin: "http://localhost:80", "sec-fetch-site": "same-origin" }, guard)).toBeUndefined()
    expect(refusal({ ...own, origin: "http://localhost:81" }, guard)).toMatch(/origin/)
    expect(refusal({ ...own, "sec-fetch-site": "same-site" }, guard)).toMatch(/site/)
    expect(refusal({ host: own.host }, guard)).toMatch(/token/)
    expect(makeToken()).not.toBe(guard.token)
  })
})
