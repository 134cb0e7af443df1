/** What many machines on one store take. Times are milliseconds since 1970. */
export const manyMachines = (): ReadonlyArray<string> => [
  // Up to when what was learned of a slice is stored.
  `alter table slice add column written_at bigint not null default 0`,
  // The configuration, for all who watch; one row.
  `create table plan (
    one integer primary key,
    version bigint not null,
    config text not null
  )`
]
