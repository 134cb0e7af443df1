/** Types for gamedig, which has no types of its own. These types contain only the exports that the test of the records uses. */
declare module "gamedig" {
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
