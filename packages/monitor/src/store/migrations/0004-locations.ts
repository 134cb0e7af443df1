/** What each location knows of the targets that it asks, and where they do not agree. */
import { knownColumns, sampleColumns } from "./0001-tables.ts"
import type { Words } from "./index.ts"

export const locations = ({ bytes, clustered, roomy }: Words): ReadonlyArray<string> => [
  // Slices of location n have the numbers from 300 n on.
  `create table location (
    id integer primary key,
    name text not null unique
  )`,
  // As `latest` and `sample`, of one location.
  `create table location_latest (
    target integer not null,
    location integer not null,
    ${knownColumns(bytes)},
    primary key (target, location)
  )${roomy}`,
  `create table location_sample (
    ${sampleColumns(bytes)},
    location smallint not null,
    primary key (target, location, hour)
  )${clustered}`,
  `create index location_sample_by_hour on location_sample (hour)`,
  `create index location_sample_with_fine on location_sample (hour) where fine is not null`,
  // What the locations of a target say that does not agree; empty where they agree again.
  `create table disagreement (
    target integer primary key,
    said text not null
  )`,
  `create index disagreeing on disagreement (target) where said <> ''`
]
