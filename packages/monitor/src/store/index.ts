/**
 * The stores that there are.
 *
 * @module
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as sqlStore from "./sqlStore.ts"
import type { Store, StoreFailed } from "./Store.ts"
import * as sqlite from "./sqlite.ts"

export { layerNone as none } from "./Store.ts"

/** By name: `postgres://…`, else a file of SQLite. */
export const open = (where: string): Layer.Layer<Store, StoreFailed> =>
  /^postgres(ql)?:\/\//.test(where)
    ? Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./postgres.ts")),
          (postgres) => Layer.provide(sqlStore.layer, postgres.layer(where))
        )
      )
    : Layer.provide(sqlStore.layer, sqlite.layer(where))
