/** The script and the style of every page, as `scripts/build-viewer.ts` bundles them. */
export interface ViewerApp {
  readonly script: string
  readonly style: string
  /** The SHA-256 hashes of script and style, as base64: the page allows nothing else to run. */
  readonly scriptHash: string
  readonly styleHash: string
}

/** The parts of a page. */
export interface PageParts {
  readonly title: string
  /** The page's data, compressed with gzip, as base64. */
  readonly data: string
  /** The address at which a served page listens for changes. Default: the page makes no request at all. */
  readonly changes?: string
}

/**
 * Renders one self-contained HTML file. It makes no request and runs only the app: texts of a recording are data, and the policy blocks every other
 * script, style and address.
 */
export function renderPage({ title, data, changes }: PageParts, app: ViewerApp): string {
  const connect = changes === undefined ? '' : " connect-src 'self';"
  const policy =
    `default-src 'none'; script-src 'sha256-${app.scriptHash}'; style-src 'sha256-${app.styleHash}';${connect} ` +
    "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
  const watched = changes === undefined ? '' : ` data-changes="${escapeHtml(changes)}"`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="goldenrun">
<title>${escapeHtml(title)}</title>
<style>${app.style}</style>
</head>
<body>
<div id="app"${watched}><noscript>This page needs JavaScript to draw the run, but it is switched off.</noscript></div>
<script type="application/octet-stream" id="data">${data}</script>
<script>${app.script}</script>
</body>
</html>
`
}

/** Escapes text for an element or an attribute. Removes characters that drive a terminal or change the direction of writing. */
function escapeHtml(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Bidi_C}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
