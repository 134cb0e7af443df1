/** How old a program may be that uses the store: it knows so many steps at least. */
export const compatibility = (): ReadonlyArray<string> => [
  `alter table migration add column needs integer not null default 0`
]
