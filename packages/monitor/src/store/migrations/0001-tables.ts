/** The tables. Times are milliseconds since 1970, round trips microseconds. */
import type { Words } from "./index.ts"

export const tables = ({ bytes, clustered, serial }: Words): ReadonlyArray<string> => [
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
    state text not null,
    state_at bigint not null,
    failures integer not null,
    asked_at bigint,
    answered_at bigint,
    rtt bigint,
    rtt_ambiguous integer not null,
    answer text,
    trouble text,
    hour bigint,
    samples ${bytes}
  )`,
  // Numbers grow with time: a change's is its millisecond times 1000 and a count.
  `create table change (
    id bigint primary key,
    target integer not null,
    at bigint not null,
    field text not null,
    was text not null,
    became text not null
  )`,
  `create index change_of_target on change (target, id)`,
  // A row is an hour: its sums, and its twelve buckets of five minutes packed, which retention takes away first.
  `create table sample (
    target integer not null,
    hour bigint not null,
    asked integer not null,
    answered integer not null,
    players_min integer not null,
    players_max integer not null,
    players_sum bigint not null,
    bots_sum bigint not null,
    rtt_count integer not null,
    rtt_min bigint not null,
    rtt_max bigint not null,
    rtt_sum bigint not null,
    fine ${bytes},
    primary key (target, hour)
  )${clustered}`,
  `create index sample_by_hour on sample (hour)`,
  // Up to which change each webhook has been told.
  `create table webhook (
    name text primary key,
    told bigint not null
  )`
]
