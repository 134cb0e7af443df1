/** Vue's components as TypeScript sees them: Vite compiles them. */
declare module "*.vue" {
  import type { Component } from "vue"
  const component: Component
  export default component
}
