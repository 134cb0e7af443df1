/** Who was asked and is not stored yet. */
import type { Words } from "./index.ts"

export const underWay = ({ fleeting }: Words): ReadonlyArray<string> => [
  // A row for each that asks, rewritten many times a second: the numbers of targets, as JSON. Location 0 is that of those without one.
  `create ${fleeting}table under_way (
    owner text not null,
    location integer not null,
    at bigint not null,
    targets text not null,
    primary key (owner, location)
  )`
]
