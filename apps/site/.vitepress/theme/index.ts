/** VitePress' theme in the playground's colours, with its dissector. */
import type { Theme } from "vitepress"
import DefaultTheme from "vitepress/theme-without-fonts"
import Dissector from "./Dissector.vue"
import "./style.css"

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component("Dissector", Dissector)
  }
} satisfies Theme
