/**
 * `GET /openapi.json` returns the description of the HTTP interface in OpenAPI 3.1. The description of the API's endpoints is generated
 * from `Api.ts`. This module adds the types of numeric parameters, the required credentials, the errors that every endpoint can return, and
 * the pages that are not part of the API.
 */
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as OpenApi from "effect/http-api/OpenApi"
import { PERIODS } from "../history/uptime.ts"
import { Api, NUMBERS } from "./Api.ts"

type Part = Record<string, unknown>

interface Operation {
  parameters?: Array<{ readonly name: string; schema: Part }>
  responses: Part
  security?: unknown
}

const jsonContent = (schema: string): Part => ({
  "application/json": { schema: { $ref: `#/components/schemas/${schema}` } }
})
const refusal = (description: string): Part => ({ description, content: jsonContent("Problem") })

/** Errors that every endpoint can return. */
const REFUSALS: Part = {
  "400": refusal(
    "A parameter or the body is not valid. `message` contains the name of the parameter or field, and the valid values."
  ),
  "401": refusal("A token, or a name and a password, is required."),
  "403": refusal(
    "The monitor has no password and was reached by a name other than localhost, or a page of another origin sent the request."
  ),
  "429": refusal("Too many passwords are being checked; try again in a second.")
}

const text = (contentType: string, description: string): Part => ({
  description,
  content: { [contentType]: { schema: { type: "string" } } }
})

const inQuery = (name: string, description: string, schema: Part = { type: "string" }, required = false): Part => ({
  name,
  in: "query",
  required,
  description,
  schema
})

const HEALTH: Part = {
  description: "`ok` is the result. The status is 200 if it is true, otherwise 503.",
  content: {
    "application/json": {
      schema: { type: "object", required: ["ok"], properties: { ok: { type: "boolean" } } }
    }
  }
}

/** A page that is not part of the API. */
const page = (summary: string, success: Part, parameters: ReadonlyArray<Part> = [], others: Part = {}): Part => ({
  get: { tags: ["pages"], summary, parameters, responses: { "200": success, ...others, ...REFUSALS } }
})

const OPEN: Part = { security: [] }
const openPage = (summary: string): Part => ({
  get: { tags: ["pages"], summary, parameters: [], responses: { "200": HEALTH, "503": HEALTH }, ...OPEN }
})

const GROUP: Part = { name: "group", in: "path", required: true, schema: { type: "string" } }
const THEME = inQuery("theme", "Colors (default: the setting of the reader's system)", {
  type: "string",
  enum: ["light", "dark"]
})

const REFRESH = inQuery("refresh", "Interval at which the page reloads itself, in seconds (default: never)", {
  type: "integer"
})

const PAGES: Part = {
  "/api/events": page(
    "Changes as server-sent events",
    text(
      "text/event-stream",
      "Events `change` (a ChangeRow), and with `updates=1` also `update` (an array of TargetRow)."
    ),
    [
      inQuery("updates", "1: also send `update` events, with the targets that were queried", {
        type: "string",
        enum: ["1"]
      }),
      { name: "Last-Event-ID", in: "header", required: false, schema: { type: "integer" } }
    ],
    { "503": { description: "Too many clients read events." } }
  ),
  ...Object.fromEntries(
    ["incidents", "changes", "samples"].map((what) => [
      `/api/export/${what}`,
      page(
        `Export ${what} for other programs`,
        {
          description: "One row per line.",
          content: {
            "application/x-ndjson": { schema: { type: "string" } },
            "text/csv": { schema: { type: "string" } }
          }
        },
        [
          inQuery("format", "Format (default: ndjson)", { type: "string", enum: ["ndjson", "csv"] }),
          inQuery("from", "Start of the period: milliseconds since 1970, or a date (default: 30 days before the end)"),
          inQuery("to", "End of the period: milliseconds since 1970, or a date (default: now)"),
          inQuery("group", "Only this group"),
          inQuery("target", "Only the target with this number", { type: "integer" })
        ],
        { "404": refusal("There is no such group.") }
      )
    ])
  ),
  "/metrics": page(
    "Metrics of the servers and of the monitor, for Prometheus",
    text("text/plain", "Prometheus' text format, compressed if the client accepts gzip."),
    [inQuery("group", "Only servers of this group, without the metrics of the monitor")]
  ),
  "/probe": page(
    "Query one server now, like Prometheus' blackbox exporter",
    text("text/plain", "Prometheus' text format."),
    [
      inQuery("target", "Address of the server", { type: "string" }, true),
      inQuery("module", "Query to send (default: info)", { type: "string", enum: ["info"] })
    ],
    { "503": text("text/plain", "Too many servers are being probed.") }
  ),
  "/targets": page(
    "The targets, in Prometheus' http_sd format",
    {
      description: "One entry per group.",
      content: {
        "application/json": {
          schema: {
            type: "array",
            items: {
              type: "object",
              required: ["targets", "labels"],
              properties: {
                targets: { type: "array", items: { type: "string" } },
                labels: { type: "object", additionalProperties: { type: "string" } }
              }
            }
          }
        }
      }
    },
    [inQuery("group", "Only this group")]
  ),
  "/badge/{address}.svg": page(
    "A badge with the state of a server",
    text("image/svg+xml", "The badge."),
    [
      { name: "address", in: "path", required: true, schema: { type: "string" } },
      inQuery("uptime", "Show the uptime of this period instead of the players", { type: "string", enum: PERIODS })
    ],
    { "404": refusal("There is no such target.") }
  ),
  "/status/{group}": page(
    "Status page of a group, read-only",
    text("text/html", "The page. It requires no password if `publicStatus` lists the group."),
    [GROUP, THEME, REFRESH],
    { "404": refusal("There is no such group.") }
  ),
  "/embed/{group}": page(
    "Status page of a group, to embed in other sites",
    text("text/html", "The page. Any site may show it in a frame."),
    [GROUP, THEME, REFRESH],
    { "404": refusal("There is no such group, or it is not public.") }
  ),
  "/live": openPage("Check that the process runs"),
  "/ready": openPage("Check that the monitor has started and works"),
  "/health": page("Check that the store can be written", HEALTH, [], { "503": HEALTH })
}

/** Returns the complete description of the HTTP interface. */
export const describe = (): Part => {
  // The result of `fromApi` has a read-only type with many optional parts. The cast describes only the parts that exist for this API.
  const spec = OpenApi.fromApi(Api) as unknown as {
    info: Part
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Part; securitySchemes: Part }
  }
  for (const operations of Object.values(spec.paths)) {
    for (const operation of Object.values(operations)) {
      for (const parameter of operation.parameters ?? []) {
        const number = NUMBERS.get(parameter.name)
        if (number !== undefined) parameter.schema = number
      }
      operation.responses = { ...REFUSALS, ...operation.responses }
      delete operation.security
    }
  }
  return {
    ...spec,
    info: {
      title: "Sourcewire monitor",
      version: "1",
      description: "State, history, incidents and uptime of monitored game servers. Times are milliseconds since 1970."
    },
    paths: { ...spec.paths, ...PAGES },
    components: {
      ...spec.components,
      schemas: {
        ...spec.components.schemas,
        Problem: {
          type: "object",
          required: ["_tag", "message"],
          properties: {
            _tag: { type: "string" },
            message: { type: "string" },
            parameter: { type: "string", description: "The parameter that is not valid." }
          }
        }
      },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The token of `--token-file`." },
        basic: { type: "http", scheme: "basic", description: "A user of `--web-config`, or any name with the token." }
      }
    },
    // The empty entry means "no credentials": a monitor without a token and without users requires none.
    security: [{ bearer: [] }, { basic: [] }, {}]
  }
}

export const openApiRoute = HttpRouter.use((router) => {
  const description = HttpServerResponse.jsonUnsafe(describe())
  return router.add("GET", "/openapi.json", description)
})
