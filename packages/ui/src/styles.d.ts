/** A stylesheet as text, which the bundler makes of it. */
declare module "*.css?inline" {
  const text: string
  export default text
}
