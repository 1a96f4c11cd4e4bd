import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { build, type RolldownOutput } from 'rolldown'
import { readEntries } from './entries.ts'

/**
 * What is built in: small, pure and used at once, so that a test file would wait for each of its files. None of it has a state, or a type that
 * users see.
 */
const builtIn = ['@smithy/core', 'diff', 'eventsource-parser', 'fast-json-stable-stringify', 'picocolors', 'picomatch']

/**
 * Chunks that build upon each other, each with the files that it is made of: those, all that they import, and nothing that is in one before it.
 * A large file loads in a fraction of the time that the same in many small ones takes. No entry is among them: loading one may have an effect.
 */
const layers: readonly (readonly [name: string, files: readonly string[]])[] = [
  ['doors', ['src/boundaries/doors.ts', 'src/boundaries/contact/guard.ts', 'src/config/stand-in-keys.ts']],
  [
    'recording',
    [
      'src/record/recorder.ts',
      ...['checkpoint', 'current-run', 'external', 'live', 'tool', 'wrap-tools'].map((name) => `src/run/${name}.ts`),
    ],
  ],
  [
    'reading',
    [
      'src/trace/read-text.ts',
      'src/stores/read-trace-file.ts',
      'src/stores/write-file-atomically.ts',
      'src/replay/own-surroundings.ts',
      'src/config/agent-reference.ts',
      'src/config/missing-agent.ts',
      'src/vitest/golden-mode.ts',
      'node_modules/picocolors/picocolors.js',
    ],
  ],
  [
    'replaying',
    [
      'src/replay/replay.ts',
      'src/replay/read-trace.ts',
      'src/matchers/runner-matchers.ts',
      'src/matchers/run-serializer.ts',
      'src/matchers/holds.ts',
      'src/config/replay-options-of.ts',
    ],
  ],
]

/** Builds the package's JavaScript into a directory: one file an entry, and shared chunks. */
export async function buildJavaScript(directory: string): Promise<void> {
  const built = await build({
    input: readEntries(),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !builtIn.some((name) => id === name || id.startsWith(`${name}/`)),
    output: {
      dir: directory,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'chunks/[name]-[hash].js',
      codeSplitting: {
        groups: layers.map(([name, files], index) => ({ name, test: (id) => isOneOf(files, id), priority: layers.length - index })),
      },
    },
  })
  writeFileSync(join(directory, 'third-party-licenses.txt'), readLicenses(built))
}

function isOneOf(files: readonly string[], id: string): boolean {
  const module = id.replaceAll('\\', '/')
  return files.some((file) => module.endsWith(`/${file}`))
}

/** The licenses of what is built in, which all ask to be handed on with it. */
function readLicenses({ output }: RolldownOutput): string {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  const folders = modules.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0] ?? [])
  return [...new Set(folders)]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>
      const [file] = globSync('LICEN[CS]E*', { cwd: folder })
      if (file === undefined) throw new Error(`${name} has no file with its license: it cannot be built in.`)
      return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
