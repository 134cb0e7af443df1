declare module "kaitai-struct-compiler" {
  const compiler: {
    /** Compiles a specification. `specification` is the parsed YAML. Returns the text of each generated file, by file name. */
    compile(language: string, specification: unknown, importer: null, isDebug: boolean): Promise<Record<string, string>>
  }
  export default compiler
}
