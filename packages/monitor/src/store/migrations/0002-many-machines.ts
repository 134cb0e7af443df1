/** What many machines on one store take. */
export const manyMachines = (): ReadonlyArray<string> => [
  // The configuration, for all who watch; one row.
  `create table plan (
    one integer primary key,
    version bigint not null,
    config text not null
  )`
]
