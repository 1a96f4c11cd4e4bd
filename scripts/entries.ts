import { readFileSync } from 'node:fs'

interface PackageJson {
  exports: Record<string, string | { types: string; default: string; 'goldenrun-jest'?: string }>
}

/** Files that are loaded by their path: by Vitest's workers, as threads that write logs or debug, and as processes that replay. */
const workerFiles = [
  'vitest/golden-file',
  'vitest/open-doors',
  'vitest/ready-worker',
  'vitest/set-stand-in-keys',
  'boundaries/native/look-worker',
  'record/thread/log-worker',
  'record/record-at-start',
  'cli/accept-process',
  'cli/fresh-process',
  'cli/past-code/process',
  'cli/inspect/inspect-process',
  'cli/inspect/debugger-worker',
]

/** Files that Jest's environment and the tests of goldens load in sandboxes. */
export const sandboxFiles: readonly string[] = ['jest/open-sandbox', 'jest/golden-file']

/** Returns the package's entries by the name of their file in `dist`: `{ index: 'src/index.ts', …, cli: 'src/cli/main.ts' }`. */
export function readEntries(): Record<string, string> {
  const worker = Object.fromEntries([...workerFiles, ...sandboxFiles].map((name) => [name, `src/${name}.ts`]))
  return { ...readLibraryEntries(), ...worker, cli: 'src/cli/main.ts' }
}

/** Returns the names of the entries that are different in Jest's sandboxes. */
export function readSandboxEntries(): string[] {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as PackageJson
  const files = Object.values(exports).flatMap((target) => (typeof target === 'string' ? [] : (target['goldenrun-jest'] ?? [])))
  return files.map((file) => file.replace(/^.*\/(.+)\.cjs$/, '$1'))
}

/** Returns the entries that can be imported, as package.json lists them under `exports`. Each is the file of the same name in `src`. */
export function readLibraryEntries(): Record<string, string> {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as PackageJson
  const targets = Object.values(exports).filter((target) => typeof target !== 'string')
  const names = targets.map((target) => target.default.replace(/^\.\/dist\/(.+)\.js$/, '$1'))
  return Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]))
}
