/** What a monitor takes whose targets come from lists. */
export const lists = (): ReadonlyArray<string> => [
  // What each source gave last; the version grows with every list that is stored.
  `create table list (
    source text primary key,
    version bigint not null,
    found text not null
  )`
]
