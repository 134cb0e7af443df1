/** Builds the page as static files that work under any path, with a policy that allows only these files. */
import { CONTENT_SECURITY_POLICY } from "@sourcewire/ui/page"
import { defineConfig, type Plugin } from "vite"
import { notices } from "../../tooling/presets/notices.ts"

/** The policy as a tag, for servers that send no header of their own. The bridge sends both. */
const policyTag: Plugin = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: CONTENT_SECURITY_POLICY },
      injectTo: "head-prepend"
    }
  ]
}

export default defineConfig({
  base: "./",
  plugins: [policyTag, notices],
  build: {
    target: "es2023",
    // An inlined file would be a data: address, which the policy forbids.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false
  },
  worker: { format: "es" }
})
