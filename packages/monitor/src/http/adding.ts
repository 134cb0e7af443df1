/**
 * `POST /api/targets`, where the monitor keeps its list itself: one more target, by its address. It is for the dashboard and for programs,
 * and for no other page that is open in the same browser.
 *
 * @module
 */
import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import { problem } from "./problem.ts"

/** Adds the target of an address as people type it; gives the address as the list has it. */
export type AddTarget = (address: string) => Effect.Effect<string, { readonly message: string }>

const Wanted = Schema.Struct({ address: Schema.String.check(Schema.isMaxLength(300)) })

const MAX_BODY = ByteSize.kilobytes(4)

/** A page of somebody else's can send no JSON here without asking first, which nobody grants it; and its origin is another one. */
const isOwn = ({ "content-type": type = "", host, origin }: Readonly<Record<string, string | undefined>>): boolean =>
  /^application\/json\b/i.test(type) &&
  (origin === undefined || (URL.canParse(origin) && new URL(origin).host === host))

/** The route. */
export const addingRoute = (add: AddTarget) =>
  HttpRouter.use((router) =>
    router.add(
      "POST",
      "/api/targets",
      Effect.gen(function* () {
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        if (!isOwn(headers)) return problem(403, "Forbidden", "Only this monitor's own page adds servers.")
        const { address } = yield* HttpServerRequest.schemaBodyJson(Wanted)
        return yield* Effect.match(add(address), {
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
  )
