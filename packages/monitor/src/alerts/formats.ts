/**
 * Builds requests in the documented formats of receivers. `formats.json` declares each format. The values of an alert replace the
 * placeholders in the declaration. To add a receiver, add a declaration to `formats.json`, and a test with an example request from the
 * receiver's documentation.
 */
import declared from "./formats.json" with { type: "json" }

type Json = string | ReadonlyArray<Json> | { readonly [key: string]: Json } | boolean | number

/** The URL and the body of a request. Both can contain `{placeholders}`. */
interface RequestDeclaration {
  /** The URL of the request (default: `{url}`, the URL of the webhook). */
  readonly url?: string
  readonly body: Json
}

/** The declaration of a format. */
interface FormatDeclaration extends RequestDeclaration {
  readonly method?: "POST" | "PUT"
  /**
   * Maximum length of the text in a request, in UTF-16 units. ntfy limits the bytes of the text, and a UTF-16 unit needs at most three
   * bytes. Therefore the value for ntfy is a third of ntfy's limit.
   */
  readonly most: number
  /** Whether each message is sent in a separate request. This is necessary if the receiver treats each request as one incident. */
  readonly single?: boolean
  /** The settings that a webhook with this format must have. */
  readonly needs?: ReadonlyArray<"tokenFile" | "to">
  /** If the webhook has a token, these headers are sent. */
  readonly token?: Readonly<Record<string, string>>
  /** The request that reports the end of an incident (default: the same request as for all other messages). */
  readonly resolved?: RequestDeclaration
}

export const FORMATS = declared as Readonly<Record<keyof typeof declared, FormatDeclaration>>

export type DeclaredFormat = keyof typeof declared

export const declaredFormats = Object.keys(declared) as ReadonlyArray<DeclaredFormat>

export const isDeclared = (format: string): format is DeclaredFormat => Object.hasOwn(declared, format)

/**
 * The values of the placeholders, by name. If a property consists of a single placeholder, and the value of this placeholder is
 * `undefined`, the request does not contain the property.
 */
export type Values = Readonly<Record<string, unknown>>

const PLACEHOLDER = /\{(\w+)\}/g

const textWith = (text: string, values: Values, quote: (value: string) => string = (value) => value): string =>
  text.replace(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(values, name) ? quote(String(values[name] ?? "")) : whole
  )

/**
 * Replaces the placeholders in a declaration. If a text consists of a single placeholder, the result is the value of the placeholder, which
 * can have any type. In other texts, the value is inserted as text.
 */
const filled = (shape: Json, values: Values): unknown => {
  if (typeof shape === "string") {
    const [, only] = /^\{(\w+)\}$/.exec(shape) ?? []
    return only !== undefined && Object.hasOwn(values, only) ? values[only] : textWith(shape, values)
  }
  if (Array.isArray(shape)) return shape.map((one: Json) => filled(one, values)).filter((one) => one !== undefined)
  if (typeof shape !== "object") return shape
  const entries = Object.entries(shape).map(([key, value]) => [key, filled(value, values)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** The complete request to a receiver. */
export interface AlertRequest {
  readonly url: string
  readonly method: "POST" | "PUT"
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Escapes a value that is inserted into a URL, so that the value cannot add a path or parameters. */
const inUrl = (value: string): string => encodeURIComponent(value)

/**
 * Builds the request for a receiver. `url` is the URL of the webhook. Values that are inserted into the URL of the request are escaped,
 * with one exception: the character `:` is not escaped, because tokens of Telegram contain this character.
 */
export const formatRequest = (
  format: DeclaredFormat,
  url: string,
  token: string | undefined,
  values: Values,
  isResolved: boolean
): AlertRequest => {
  const shape = FORMATS[format]
  const { body, url: place = shape.url ?? "{url}" } =
    isResolved && shape.resolved !== undefined ? shape.resolved : shape
  const { origin, pathname } = new URL(url)
  const lastSegment = decodeURIComponent(pathname.split("/").findLast((part) => part !== "") ?? "")
  const all = { ...values, token: token ?? "", lastSegment }
  const places = { url: url.replace(/\/+$/, ""), origin }
  const target = textWith(place, places).replace(PLACEHOLDER, (whole) =>
    textWith(whole, all, (value) => inUrl(value).replaceAll("%3A", ":"))
  )
  const headers = Object.entries(token === undefined ? {} : (shape.token ?? {}))
  return {
    url: target,
    method: shape.method ?? "POST",
    headers: {
      "content-type": "application/json",
      ...Object.fromEntries(headers.map(([name, value]) => [name, textWith(value, all)]))
    },
    body: JSON.stringify(filled(body, all))
  }
}
