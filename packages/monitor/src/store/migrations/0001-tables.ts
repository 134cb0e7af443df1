/** The tables. Times are milliseconds since 1970, hours are counted since then, round trips are microseconds. */
import type { Words } from "./index.ts"

/** What is known of a target, in all or in a location. */
export const knownColumns = (bytes: string): string => `state text not null,
    state_at bigint not null,
    failures integer not null,
    asked_at bigint,
    answered_at bigint,
    rtt bigint,
    rtt_ambiguous integer not null,
    answer text,
    trouble text,
    hour integer,
    samples ${bytes}`

/** A row is an hour: its sums, and its twelve buckets packed. Wide columns come first, so that Postgres leaves no room between them. */
export const sampleColumns = (bytes: string): string => `rtt_sum bigint not null,
    target integer not null,
    hour integer not null,
    players_sum integer not null,
    bots_sum integer not null,
    rtt_min integer not null,
    rtt_max integer not null,
    players_min smallint not null,
    players_max smallint not null,
    asked smallint not null,
    answered smallint not null,
    rtt_count smallint not null,
    fine ${bytes}`

export const tables = ({ bytes, clustered, roomy, serial }: Words): ReadonlyArray<string> => [
  // Who asks: 300 slices of the targets, by their networks. An epoch of a slice is one ownership; what an older one writes is refused.
  `create table slice (
    slice integer primary key,
    owner text not null,
    epoch bigint not null
  )`,
  `create table target (
    id ${serial} primary key,
    address text not null unique,
    slice integer not null,
    "group" text not null,
    labels text not null,
    watched integer not null,
    added_at bigint not null
  )`,
  // What is known of a target now, with the samples of the hour that is not over yet: so a crash loses neither.
  `create table latest (
    target integer primary key,
    ${knownColumns(bytes)}
  )${roomy}`,
  // Numbers grow with time: a change's is its millisecond times 1000 and a count.
  `create table change (
    id bigint primary key,
    at bigint not null,
    target integer not null,
    field text not null,
    was text not null,
    became text not null
  )`,
  `create index change_of_target on change (target, id)`,
  // A row is an hour: its sums, and its twelve buckets of five minutes packed, which retention takes away first.
  `create table sample (
    ${sampleColumns(bytes)},
    primary key (target, hour)
  )${clustered}`,
  `create index sample_by_hour on sample (hour)`,
  `create index sample_with_fine on sample (hour) where fine is not null`,
  // Up to which change each webhook has been told.
  `create table webhook (
    name text primary key,
    told bigint not null
  )`
]
