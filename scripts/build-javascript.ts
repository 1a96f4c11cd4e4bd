import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { build, type OutputChunk, type RolldownOutput } from 'rolldown'
import { buildJiti, jitiFromDist } from './build-jiti.ts'
import { buildSandbox, exportsAreValues } from './build-sandbox.ts'
import { buildViewer } from './build-viewer.ts'
import { escapeCharacters } from './escape-characters.ts'
import { builtIn, joinFacades, minizlibOnUse, packCommands, shortenBuiltIn } from './built-in.ts'
import { readEntries, readSandboxEntries, sandboxFiles } from './entries.ts'
import { filesLoadedWith } from './imports.ts'

/** The code that records runs, and that agents call. A bundled server needs nothing else. */
const recording = [
  'src/record/recorder.ts',
  ...['checkpoint', 'current-run', 'external', 'live', 'tool', 'wrap-client/wrap-client', 'wrap-tools'].map((name) => `src/run/${name}.ts`),
]

/**
 * Chunks that build on each other. Each contains the listed files and everything that they import, except what is in an earlier chunk.
 * One large file loads in a fraction of the time of many small ones. No entry is listed, because loading an entry may have an effect.
 */
const layers: readonly (readonly [name: string, files: readonly string[]])[] = [
  // All that the thread which looks for native contacts loads.
  ['looking', ['src/boundaries/native/look.ts']],
  ['doors', ['src/boundaries/doors.ts', 'src/boundaries/contact/guard.ts', 'src/config/stand-in-keys.ts']],
  // The part of the recording code that a test which replays loads.
  ['runs', filesOfBoth(recording, 'src/replay/replay.ts')],
  ['recording', recording],
  ['telling', ['src/record/telemetry/event-builder.ts']],
  ['native', ['src/boundaries/native/watch-recorded.ts', 'src/boundaries/native/replayed-native.ts']],
  // Look-ups of a recorder, which a server's bundler follows: no replay code is in here.
  [
    'looking-up',
    [
      'src/stores/read-trace-file.ts',
      'src/stores/event-log/read-log-step.ts',
      // From `summarize-recording.ts`, which itself needs the recorder, whereas replays load this chunk.
      'src/trace/decode-checked.ts',
      'src/stores/golden-directory.ts',
      'src/stores/promoted-sources.ts',
      'src/stores/file-lease.ts',
    ],
  ],
  [
    'reading',
    [
      'src/trace/read-text.ts',
      'src/stores/read-trace-file.ts',
      'src/stores/write-file-atomically.ts',
      'src/replay/engine/own-surroundings.ts',
      'src/replay/engine/surroundings.ts',
      'src/stores/golden-pattern.ts',
      'src/goldens/described-golden.ts',
      'src/goldens/within-limit.ts',
      'src/jest/sandbox-key.ts',
      'src/jest/results-folder.ts',
      'src/config/agent-reference.ts',
      'src/config/load-agent.ts',
      'src/goldens/golden-mode.ts',
      'node_modules/picocolors/picocolors.js',
    ],
  ],
  [
    'replaying',
    [
      'src/replay/replay.ts',
      'src/replay/traces/read-trace.ts',
      'src/matchers/same-run.ts',
      'src/goldens/guard-outside.ts',
      'src/replay/goldens/promotion/refusals.ts',
    ],
  ],
  ['locating', ['src/replay/traces/locate-by-name.ts', 'src/goldens/debug-command.ts']],
  [
    'matching',
    ['src/matchers/runner-matchers.ts', 'src/matchers/run-serializer.ts', 'src/matchers/holds.ts', 'src/matchers/judge-golden.ts'],
  ],
  [
    'travelling',
    [
      'src/travel/fork.ts',
      'src/travel/breakable-replay.ts',
      'src/travel/resume.ts',
      'src/travel/verify/verify.ts',
      'src/travel/verify/compare-verifications.ts',
      'src/travel/verify/to-pass-at-least.ts',
      'src/travel/inspect/inspect.ts',
    ],
  ],
  ['promoting', ['src/goldens/promote.ts']],
  // The code in the process of an inspected replay, and the command that debugs one.
  ['inspecting', ['src/travel/inspect/inspected-replay.ts', 'src/travel/inspect/replay-and-break.ts']],
  // The code that only a golden that does not hold needs.
  [
    'telling-why',
    [
      'src/goldens/golden-report.ts',
      'src/goldens/keep-rebase.ts',
      'src/goldens/pages/write-page.ts',
      'src/goldens/fresh/with-fresh-lines.ts',
    ],
  ],
]

/**
 * How files are printed. Each process that loads a file reads all of it. Docstrings are in the declarations. Text with non-ASCII characters
 * would take twice the memory.
 */
const print = { charset: 'ascii', comments: { jsdoc: false } } as const

/** Local variables get short names, which makes a production install a fifth smaller. Lines and function names stay, for stacks. */
const shortNames = { compress: false, mangle: { toplevel: false, keepNames: true }, codegen: { removeWhitespace: false } } as const

/** Builds the package's JavaScript into a directory: one file per entry, shared chunks, and the edits by which Jest's sandboxes read them. */
export async function buildJavaScript(directory: string): Promise<void> {
  const built = await build({
    input: readEntries(),
    platform: 'node',
    // Jest's entry needs picomatch at once; for all other entries it is a separate chunk, loaded on demand.
    checks: { ineffectiveDynamicImport: false },
    external: isExternal,
    plugins: [minizlibOnUse, jitiFromDist, shortenBuiltIn, joinFacades, exportsAreValues, packCommands, escapeCharacters],
    output: {
      ...print,
      minify: shortNames,
      dir: directory,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: {
        groups: layers.map(([name, files], index) => ({ name, test: (id) => isOneOf(files, id), priority: layers.length - index })),
      },
    },
  })
  checkRootEntry(built)
  buildJiti(directory)
  await buildViewer(directory)
  await buildSandbox(directory, [...readSandboxEntries(), ...sandboxFiles])
  writeFileSync(join(directory, 'third-party-licenses.txt'), readLicenses(built.output))
}

/** Returns whether a module stays outside: Node's own modules, and packages that are not built in. Names that begin with a null byte are rolldown's. */
function isExternal(id: string): boolean {
  return /^[^.\0]/.test(id) && !isAbsolute(id) && !builtIn.some((name) => id === name || id.startsWith(`${name}/`))
}

/**
 * Checks that a server's bundle needs none of the packages that only tests have, because a bundler would not find them. Includes modules loaded later.
 */
function checkRootEntry({ output }: RolldownOutput): void {
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])))
  const reached = (imports: (chunk: OutputChunk) => readonly string[]): string[] => {
    const names = new Set(['index.js', 'register.js'])
    for (const name of names) {
      const chunk = chunks.get(name)
      if (chunk !== undefined) for (const imported of imports(chunk)) if (chunks.has(imported)) names.add(imported)
    }
    const found = [...names].map((name) => chunks.get(name)?.name ?? '')
    return layers.map(([name]) => name).filter((name) => found.includes(name))
  }
  const checkLayers = (found: readonly string[], allowed: readonly string[], how: string): void => {
    const strays = found.filter((name) => !allowed.includes(name))
    const layer = allowed.at(-1) ?? ''
    if (strays.length > 0)
      throw new Error(
        `The root entry ${how} the chunk ${strays.join(' and ')}, which belongs to replays: put its file in the layer "${layer}".`,
      )
  }
  const atOnce = ['doors', 'runs', 'recording']
  checkLayers(
    reached(({ imports }) => imports),
    atOnce,
    'loads',
  )
  checkLayers(
    reached(({ imports, dynamicImports }) => [...imports, ...dynamicImports]),
    [...atOnce, 'telling', 'looking', 'native', 'looking-up'],
    'brings into a bundle',
  )
}

function filesOfBoth(some: readonly string[], other: string): string[] {
  const others = filesLoadedWith(other)
  return [...new Set(some.flatMap((file) => [...filesLoadedWith(file)]))].filter((file) => others.has(file))
}

function isOneOf(files: readonly string[], id: string): boolean {
  const module = id.replaceAll('\\', '/')
  return files.some((file) => module.endsWith(`/${file}`))
}

/** Returns the licenses of the built-in packages, which all have to be distributed with them. */
function readLicenses(output: RolldownOutput['output'][number][]): string {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const folders = [
    'node_modules/jiti',
    // In the viewer's app.
    'node_modules/preact',
    ...modules.flatMap((id) => /^.*[\\/](node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)/.exec(id)?.[1] ?? []),
  ]
  return [...new Set(folders)]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
        'name' | 'version' | 'license',
        string
      >
      return `${name} ${version} (${license})\n\n${readFileSync(licenseFile(name, folder), 'utf8').trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** The license in a package's folder; for a package that is published without, its repository's, kept in `scripts/licenses`. */
function licenseFile(name: string, folder: string): string {
  const kept = join('scripts/licenses', `${name}.md`)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  if (file !== undefined) return join(folder, file)
  if (existsSync(kept)) return kept
  throw new Error(`${name} has no license file, so it cannot be built in.`)
}
