declare module "kaitai-struct-compiler" {
  const compiler: {
    /** Compiles a specification, passed as the parsed YAML. Returns the files' texts by name. */
    compile(language: string, specification: unknown, importer: null, isDebug: boolean): Promise<Record<string, string>>
  }
  export default compiler
}
