/**
 * Libraries and addons that import functions that lead out, which is no sign of a contact. docs/doors.md, under "Native code", has the same list.
 *
 * - libvips (sharp) contains GLib, which has sockets and starts programs. libvips reads and writes files and buffers.
 * - onnxruntime contains curl for its telemetry (ORT_DISABLE_TELEMETRY=1 turns it off), which is neither recorded nor compared.
 * - dd_pprof (@datadog/pprof) starts the program that exports a profile when the memory runs out, if its user asks for that.
 */
export const harmlessFiles: RegExp = /^(?:lib(?:vips(?:-cpp)?|onnxruntime)\.so|dd_pprof\.node)\b/

/**
 * Packages whose builds for Linux import nothing that leads out. Their builds for macOS and Windows, where we do not read symbols, are of the same
 * source; so are build tools of test runners. Names are without the platform.
 */
export const harmlessPackages: RegExp = new RegExp(
  `^(?:${[
    '@(?:biomejs|esbuild|farmfe|next|oxc-[^/]+|oxfmt|parcel|rolldown|rollup|rspack|swc|tailwindcss|unrs|yuku-core)/.+',
    '@(?:img/sharp|napi-rs/canvas|napi-rs/image|resvg/resvg-js|node-rs/[^/]+|anush008/tokenizers|duckdb/node-bindings)(?:-.+)?',
    '(?:argon2|bcrypt|better-sqlite3|bufferutil|cpu-features|fsevents|lightningcss|msgpackr-extract|onnxruntime-node|sharp|snappy|tokenizers|unrs-resolver|utf-8-validate)(?:-.+)?',
  ].join('|')})$`,
)
