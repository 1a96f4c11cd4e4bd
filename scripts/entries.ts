import { readFileSync } from 'node:fs'

interface PackageJson {
  exports: Record<string, string | { types: string; default: string }>
}

/** The package's entries, by the name of the file they become in `dist`: `{ index: 'src/index.ts', …, cli: 'src/cli/main.ts' }`. */
export function readEntries(): Record<string, string> {
  return { ...readLibraryEntries(), cli: 'src/cli/main.ts' }
}

/** The entries that can be imported, as package.json lists them under `exports`; each is the file of the same name in `src`. */
export function readLibraryEntries(): Record<string, string> {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as PackageJson
  const targets = Object.values(exports).filter((target) => typeof target !== 'string')
  const names = targets.map((target) => target.default.replace(/^\.\/dist\/(.+)\.js$/, '$1'))
  return Object.fromEntries(names.map((name) => [name, `src/${name}.ts`]))
}
