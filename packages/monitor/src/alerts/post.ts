/** Posts JSON to a webhook. */
import type * as Effect from "effect/Effect"
import { type Outcome, request } from "../outbound/request.ts"

/** Posts; never fails, and follows no redirection. */
export const post = (url: string, body: string, allowLocal: boolean): Effect.Effect<Outcome> =>
  request({ url, method: "POST", headers: { "content-type": "application/json" }, body, allowLocal })
