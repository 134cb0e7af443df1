declare module "kaitai-struct-compiler" {
  const compiler: {
    /** Compiles a specification, given as what its YAML means. Returns texts of files by their names. */
    compile(language: string, specification: unknown, importer: null, isDebug: boolean): Promise<Record<string, string>>
  }
  export default compiler
}
