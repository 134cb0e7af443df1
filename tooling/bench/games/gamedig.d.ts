/** The part of gamedig that the benchmark uses. gamedig has no types. */
declare module "gamedig" {
  export interface State {
    readonly name: string
    readonly map: string
    readonly numplayers: number
    readonly maxplayers: number
    readonly bots: ReadonlyArray<unknown>
    readonly password: boolean
    readonly version?: string
    readonly raw: { readonly tags?: ReadonlyArray<string>; readonly queue?: number; readonly dayzMods?: unknown }
  }
  export const GameDig: { readonly query: (options: object) => Promise<State> }
}
