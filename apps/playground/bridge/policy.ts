/** What the page may load and run: its own files, and nothing that becomes code from a string. */

/** The Content-Security-Policy without what only a header can say. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'"
].join("; ")
