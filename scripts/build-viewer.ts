import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Plugin } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

/** The viewer's app next to the sources, for tests and benches. It is generated: do not edit or commit it. */
const besideSources = 'src/viewer/app.br'

/** Bundles the viewer's app as text: a script and a style that every page embeds, and their hashes, which the page's policy allows. */
export async function bundleViewer(): Promise<string> {
  const { output } = await build({
    input: 'src/viewer/app/main.tsx',
    platform: 'browser',
    write: false,
    plugins: [readingDialects, readingEventStreams],
    // The package does not declare that unused kinds of comparison may be left out.
    treeshake: { moduleSideEffects: [{ test: /[\\/]node_modules[\\/]diff[\\/]/, sideEffects: false }] },
    output: { format: 'esm', minify: true, codeSplitting: false, comments: false },
  })
  const [chunk, ...others] = output
  if (chunk?.type !== 'chunk' || others.length > 0 || chunk.imports.length > 0)
    throw new Error('The viewer has to be one script that imports nothing.')
  // It is a module only while it is bundled: an inline script with top-level `await` has to be a function.
  const script = `(async()=>{${chunk.code.trim()}})()`
  if (/<\/script|<!--/i.test(script)) throw new Error('The script of the viewer contains an end tag that would close its own element.')
  const style = minifyStyle(readFileSync('src/viewer/app/style.css', 'utf8'))
  return JSON.stringify({ script, style, scriptHash: hashOf(script), styleHash: hashOf(style) })
}

/** The functions of a dialect that do more than read: replays need them, and the viewer does not. */
const unread: ReadonlySet<string> = new Set(['requestPart', 'renameToolCalls', 'editRequest', 'respond'])

/** Removes from dialects everything that does not read, and whatever only that needs: a fifth of the app. */
const readingDialects: Plugin = {
  name: 'reading-dialects',
  transform(code, id) {
    if (!/[\\/]src[\\/]models[\\/][\w-]+\.ts$/.test(id) || !code.includes(': Dialect = {')) return undefined
    const fields = parseAst(code, { lang: 'ts' }, id).body.flatMap((statement) => {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined
      if (declaration?.type !== 'VariableDeclaration') return []
      return declaration.declarations.flatMap(({ init }) => (init?.type === 'ObjectExpression' ? init.properties : []))
    })
    const left = fields.filter((field) => field.type === 'Property' && field.key.type === 'Identifier' && unread.has(field.key.name))
    if (left.length !== unread.size) throw new Error(`${id} does not declare its dialect as scripts/build-viewer.ts expects.`)
    return left.toReversed().reduce((text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^,/, ''), code)
  },
}

/** The methods of the AWS event stream codec that do not read. */
const unreadMethods: ReadonlySet<string> = new Set(['encode', 'format', 'formatHeaderValue'])

/** Removes these methods: bundlers keep methods that are never called. */
const readingEventStreams: Plugin = {
  name: 'reading-event-streams',
  transform(code, id) {
    if (!/[\\/]eventstream-codec[\\/](?:EventStreamCodec|HeaderMarshaller)\.js$/.test(id)) return undefined
    const methods = parseAst(code, {}, id).body.flatMap((statement) => {
      const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : undefined
      return declaration?.type === 'ClassDeclaration' ? declaration.body.body : []
    })
    const left = methods.filter(
      (each) => each.type === 'MethodDefinition' && each.key.type === 'Identifier' && unreadMethods.has(each.key.name),
    )
    if (left.length === 0) throw new Error(`${id} does not declare its class as scripts/build-viewer.ts expects.`)
    return left.toReversed().reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code)
  },
}

/** Writes the viewer's app into the build. */
export async function buildViewer(directory: string): Promise<void> {
  writeFileSync(join(directory, 'viewer.br'), compress(await bundleViewer(), 11))
}

/** Writes the viewer's app next to the sources, unless it is newer than all of its sources. */
export async function bringViewerUpToDate(): Promise<void> {
  const sources = globSync([
    'src/{viewer,trace,models,divergence,redaction}/**/*.{ts,tsx,css}',
    'package-lock.json',
    'scripts/build-viewer.ts',
  ])
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs))
  if (existsSync(besideSources) && statSync(besideSources).mtimeMs > newest) return
  // Another process may be reading it.
  const written = `${besideSources}.${process.pid}.tmp`
  writeFileSync(written, compress(await bundleViewer(), 5))
  renameSync(written, besideSources)
}

/** Returns the size of the app as a server would send it, in bytes. */
export async function compressedSize(): Promise<number> {
  const { script, style } = JSON.parse(await bundleViewer()) as { script: string; style: string }
  return gzipSync(script + style, { level: 9 }).length
}

function compress(text: string, quality: number): Buffer {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function minifyStyle(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}')
    .trim()
}

if (import.meta.main) await bringViewerUpToDate()
