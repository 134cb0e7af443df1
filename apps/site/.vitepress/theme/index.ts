/** The theme of VitePress with the colours of the playground, and the dissector as a component. */
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
