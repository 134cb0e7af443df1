import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { describe, expect, it } from "vitest"
import { findRefusal } from "../src/http/ownOrigin.ts"

const JSON_TYPE = { "content-type": "application/json" }
const requestStatus = (method: string, headers: Readonly<Record<string, string>>): number | undefined => {
  const refusal = findRefusal(method, { host: "monitor.example:8080", ...headers })
  return refusal === undefined ? undefined : HttpServerResponse.toWeb(refusal).status
}

describe("a request to the monitor", () => {
  it("is accepted from any page if its method is GET or HEAD", () => {
    expect(requestStatus("GET", { origin: "https://evil.example" })).toBeUndefined()
    expect(requestStatus("HEAD", { origin: "https://evil.example" })).toBeUndefined()
  })

  it.each(["https://monitor.example:8080", "http://monitor.example:8080"])(
    "is accepted if its origin is %s",
    (origin) => {
      expect(requestStatus("POST", { origin, ...JSON_TYPE })).toBeUndefined()
    }
  )

  it.each(["https://evil.example", "https://monitor.example", "https://monitor.example:8081", "null", ""])(
    "is refused if its origin is '%s'",
    (origin) => {
      expect(requestStatus("POST", { origin, ...JSON_TYPE })).toBe(403)
      expect(requestStatus("DELETE", { origin })).toBe(403)
    }
  )

  it.each(["application/json", "APPLICATION/JSON; charset=utf-8"])(
    "is accepted without an origin if its content type is %s",
    (type) => {
      expect(requestStatus("POST", { "content-type": type })).toBeUndefined()
    }
  )

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "text/plain; application/json"])(
    "is refused if its content type is %s, because pages of other sites can send this type",
    (type) => {
      expect(requestStatus("POST", { "content-type": type })).toBe(415)
    }
  )

  it("is accepted without a content type only if its method is DELETE", () => {
    expect(requestStatus("DELETE", {})).toBeUndefined()
    expect(requestStatus("PUT", {})).toBe(415)
  })
})
