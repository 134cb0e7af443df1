/** Declares the part of write-good that `prose.ts` uses, because write-good has no types of its own. */
declare module "write-good" {
  const writeGood: (
    text: string,
    options: Readonly<Record<string, boolean>>
  ) => ReadonlyArray<{ readonly index: number; readonly offset: number; readonly reason: string }>
  export default writeGood
}
