/** The types of gamedig that the tests use. The package contains no types. */
declare module "gamedig" {
  export const GameDig: {
    readonly query: (options: Readonly<Record<string, string | number | boolean>>) => Promise<{
      readonly name: string
      readonly map: string
      readonly numplayers: number
      readonly maxplayers: number
      readonly raw: {
        readonly folder: string
        readonly game: string
        readonly rules: Readonly<Record<string, string>>
        readonly players: ReadonlyArray<{ readonly name: string; readonly score: number; readonly time: number }>
      }
    }>
  }
}
