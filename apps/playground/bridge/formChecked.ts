/**
 * Answers a request that does not have the form of its route with a sentence.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { FormChecked, Unusable } from "./Api.ts"
import { sentenceOf } from "./sentence.ts"

/** See the module. */
export const formCheckedLayer = HttpApiMiddleware.layerSchemaErrorTransform(FormChecked, (error) =>
  // What the bridge itself says wrongly is its own mistake.
  Effect.fail(
    error.kind === "Body" || error.kind === "ResponseHeaders"
      ? error
      : new Unusable({ message: sentenceOf(error.cause.issue, "The body") })
  )
)
