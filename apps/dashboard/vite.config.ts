/** Builds the page: static files that the monitor serves under a policy that forbids everything but themselves. */
import { defineConfig, type Plugin } from "vite"
import { noticesOf } from "../../tooling/presets/notices.ts"

/** Puts the notices of what is inside beside it. */
const notices: Plugin = {
  name: "notices",
  generateBundle(_, files) {
    const modules = Object.values(files).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []))
    this.emitFile({ type: "asset", fileName: "NOTICES.txt", source: noticesOf(modules) })
  }
}

export default defineConfig({
  base: "./",
  plugins: [notices],
  // `vite` shows the page over a monitor that runs.
  server: { proxy: { "/api": "http://127.0.0.1:9155" } },
  build: {
    target: "es2023",
    // An inlined file would be a data: address, which the policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  }
})
