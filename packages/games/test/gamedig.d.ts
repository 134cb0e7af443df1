/** As much of gamedig, which has no types, as the test of the records compares with. */
declare module "gamedig" {
  /** A game of theirs. */
  export interface TheirGame {
    readonly options: {
      readonly port?: number
      readonly port_query?: number
      readonly port_query_offset?: number | ReadonlyArray<number>
      readonly protocol: string
    }
  }
  export const games: Readonly<Record<string, TheirGame>>
}
