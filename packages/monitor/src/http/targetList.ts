/**
 * `POST /api/targets` and `DELETE /api/targets/ID`, where the monitor keeps its list itself: one target more, by its address, or one less.
 * They are for the dashboard and for programs, and for no other page that is open in the same browser.
 */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import { Monitor } from "../watch/Monitor.ts"
import { problem } from "./Problem.ts"

/** A list that can be changed. */
export interface TargetList {
  /** Adds the target of an address as people type it; gives the address as the list has it. */
  readonly add: (address: string) => Effect.Effect<string, { readonly message: string }>
  /** Takes away the target of an address as the list has it. */
  readonly remove: (address: string) => Effect.Effect<void, { readonly message: string }>
}

const Wanted = Schema.Struct({ address: Schema.String.check(Schema.isMaxLength(300)) })

const MAX_BODY = ByteSize.kilobytes(4)

type Headers = Readonly<Record<string, string | undefined>>

const isOwnOrigin = ({ host, origin }: Headers): boolean =>
  origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)

/** A page of somebody else's can send no JSON here without asking first, which nobody grants it; and its origin is another one. */
const isOwn = (headers: Headers): boolean =>
  /^application\/json\b/i.test(headers["content-type"] ?? "") && isOwnOrigin(headers)

const FOREIGN = problem(403, "Forbidden", "Only this monitor's own page changes its list.")

export const targetListRoutes = (list: TargetList) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const monitor = yield* Monitor
      yield* router.add(
        "POST",
        "/api/targets",
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          if (!isOwn(headers)) return FOREIGN
          const { address } = yield* HttpServerRequest.schemaBodyJson(Wanted)
          return yield* Effect.match(list.add(address), {
            onFailure: ({ message }) => problem(422, "NotAdded", message),
            onSuccess: (added) => HttpServerResponse.jsonUnsafe({ address: added }, { status: 201 })
          })
        }).pipe(
          Effect.catchTag(["HttpServerError", "SchemaError"], () =>
            Effect.succeed(problem(400, "Unreadable", "The request makes no sense."))
          ),
          Effect.provideService(HttpIncomingMessage.MaxBodySize, MAX_BODY)
        )
      )
      // A page of somebody else's asks first before it sends this, too.
      yield* router.add(
        "DELETE",
        "/api/targets/:id",
        Effect.gen(function* () {
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          if (!isOwnOrigin(headers)) return FOREIGN
          const { id } = yield* HttpRouter.params
          const target = monitor.targets.get(Number(id))
          if (target === undefined) return problem(404, "NoTarget", `No target has the number ${id}.`)
          return yield* Effect.match(list.remove(target.address), {
            onFailure: ({ message }) => problem(422, "NotRemoved", message),
            onSuccess: () => HttpServerResponse.empty({ status: 204 })
          })
        })
      )
    })
  )
