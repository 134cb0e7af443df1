/** The type of a stylesheet that the bundler imports as text. */
declare module "*.css?inline" {
  const text: string
  export default text
}
