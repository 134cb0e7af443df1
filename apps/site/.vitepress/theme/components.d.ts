/** The type of Vue components in TypeScript. Vite compiles the components. */
declare module "*.vue" {
  import type { Component } from "vue"
  const component: Component
  export default component
}
