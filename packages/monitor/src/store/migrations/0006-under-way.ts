import type { Words } from "./index.ts"

/**
 * Who was asked and is not stored yet, as a JSON list of numbers: a row for each that asks, rewritten many times a second. Location 0 is
 * that of those who ask for no location.
 */
export const underWay = ({ fleeting }: Words): ReadonlyArray<string> => [
  `create ${fleeting}table under_way (
    owner text not null,
    location integer not null,
    at bigint not null,
    targets text not null,
    primary key (owner, location)
  )`
]
