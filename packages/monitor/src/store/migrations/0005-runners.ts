/** What runners tell of themselves, for whoever asks how the fleet does. */
import type { Words } from "./index.ts"

export const runners = ({ roomy }: Words): ReadonlyArray<string> => [
  // When a runner last told, by the database's clock, and what, as JSON: other releases may say more or less.
  `create table runner (
    name text primary key,
    told_at bigint not null,
    report text not null
  )${roomy}`
]
