/** What each location knows of the targets that it asks, and where they do not agree. */
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
    state text not null,
    state_at bigint not null,
    failures integer not null,
    asked_at bigint,
    answered_at bigint,
    rtt bigint,
    rtt_ambiguous integer not null,
    answer text,
    trouble text,
    hour integer,
    samples ${bytes},
    primary key (target, location)
  )${roomy}`,
  `create table location_sample (
    rtt_sum bigint not null,
    target integer not null,
    hour integer not null,
    players_sum integer not null,
    bots_sum integer not null,
    rtt_min integer not null,
    rtt_max integer not null,
    location smallint not null,
    players_min smallint not null,
    players_max smallint not null,
    asked smallint not null,
    answered smallint not null,
    rtt_count smallint not null,
    fine ${bytes},
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
