/** The text of a stylesheet, imported by the bundler. */
declare module "*.css?inline" {
  const text: string
  export default text
}
