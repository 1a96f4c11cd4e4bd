/**
 * Checks of the rooms (ARCHITECTURE.md): the list of folders, what each may import, that the entries only re-export, what loading them
 * loads, and the way of a recorded call through them. oxlint checks for cycles (.oxlintrc.json).
 */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { readEntries, readLibraryEntries } from './entries.ts'
import { posix } from 'node:path'
import { findImportChain, type Import, readImports } from './imports.ts'
import { checkRecordedWay } from './recorded-way.ts'
import { refusal, type Room, roomOf, rooms } from './rooms.ts'

/** Packages that the root entry must not load. Production loads that entry, and these are for tests, or read what production only stores. */
const forbiddenInRoot = [
  '@cfworker/json-schema',
  '@opentelemetry/api',
  '@smithy/core',
  'diff',
  'eventsource-parser',
  'jest',
  'msw',
  'undici',
  'vitest',
  'zod',
]

/** Packages that a built entry may load when it is loaded, by the start of its name. Other entries load no package, and none loads zod, jiti or undici. */
const mayLoad: readonly (readonly [entry: RegExp, packages: RegExp])[] = [
  [/^vitest(?:$|\/golden-file$)/, /^vitest$/],
  [/^jest(?:$|\/)/, /^(?:(?:babel-)?jest|@jest\/)/],
  [/^msw$/, /^msw$/],
  [/^otel$/, /^@opentelemetry\/api$/],
]

/** The file that reads by the schema of config. */
const mayImportZod = 'src/config/config-schema.ts'

/** What a golden's file must not load, built or not: it would slow down each test file, and most goldens hold. */
const forbiddenInGoldens = /(?:^|\/)(?:recorder\.ts|report\.ts|recording-[^/]*\.js|matching-[^/]*\.js)$/

/** Entries that load undici: those that open the doors on loading and patch undici, the debugger's thread, which is in no hurry, and MSW, which loads it. */
const loadsUndici = /^(?:register|vitest|vitest\/(?:open-doors|ready-worker)|jest(?:\/.*)?|msw|cli\/inspect\/debugger-worker)$/

/** Folders that are alike on purpose: files with the same name do the same for another runner, dialect or driver. */
const alike = [/^src\/(?:vitest|jest|goldens)\//, /^src\/models\/[^/]+\//, /^src\/boundaries\/drivers\/[^/]+\//]

const findings = [
  ...checkFolders(),
  ...checkNames(),
  ...checkDocumented(),
  ...checkRecordedWay(readFileSync('ARCHITECTURE.md', 'utf8')),
  ...checkDirections(),
  ...checkEntries(),
  ...checkRootGraph('src/index.ts'),
  ...checkRootGraph('dist/index.js'),
  ...checkGoldenGraph('src/vitest/golden-file.ts'),
  ...checkGoldenGraph('dist/vitest/golden-file.js'),
  ...Object.keys(readEntries()).flatMap(checkLoaded),
]
for (const finding of findings) console.error(finding)
process.exitCode = findings.length > 0 ? 1 : 0

function checkFolders(): string[] {
  return sourceFiles()
    .filter((file) => file.split('/').length > 2 && roomOf(file) === undefined)
    .map((file) => `${file}:1: its folder is not a room. Move the file, or add the room to ARCHITECTURE.md and scripts/rooms.ts.`)
}

/** File names have to be unique, so that a file is found by its name. Entries and commands are named after what they export or run. */
function checkNames(): string[] {
  const entries = new Set(Object.values(readLibraryEntries()))
  const others = sourceFiles().filter((file) => !entries.has(file) && !/^src\/cli\/[^/]+$/.test(file))
  return [...Map.groupBy(others, (file) => posix.basename(file)).values()]
    .filter((files) => files.length > 1 && !alike.some((folders) => files.every((file) => folders.test(file))))
    .map((files) => `${files.join(' and ')} have the same name. Give each a name of its own.`)
}

/** Checks that ARCHITECTURE.md lists the rooms of the table, in its order. */
function checkDocumented(): string[] {
  const documented = [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^\| `src\/([a-z/]+)\/` \|/gm)].map(([, name]) => name)
  const names = rooms.map(({ name }) => name)
  if (documented.join() === names.join()) return []
  return [`ARCHITECTURE.md: lists the rooms ${documented.join(', ')}; scripts/rooms.ts has ${names.join(', ')}.`]
}

function checkDirections(): string[] {
  return sourceFiles().flatMap((file) => {
    const room = roomOf(file)
    if (room === undefined) return []
    return importsOf(file).flatMap(({ target, isFile, isType, line }) => {
      const to = isFile ? roomOf(target) : undefined
      const why = to === undefined ? refuseModule(room, file, target) : refusal(room, to, isType)
      return why === undefined ? [] : [`${file}:${line}: imports ${target}, but ${why}.`]
    })
  })
}

/** Includes dynamic imports: the same rules apply to them. */
function importsOf(file: string): Pick<Import, 'target' | 'isFile' | 'isType' | 'line'>[] {
  const dynamic = [...readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(({ 1: specifier = '', index, input }) => ({
    target: posix.join(posix.dirname(file), specifier),
    isFile: true,
    isType: false,
    line: input.slice(0, index).split('\n').length,
  }))
  return [...readImports(file).imports, ...dynamic]
}

function refuseModule({ name, isForBrowsers }: Room, file: string, target: string): string | undefined {
  if (/^goldenrun(?:\/|$)/.test(target)) return 'inside src the file that declares it is imported'
  if (isForBrowsers && target.startsWith('node:')) return `${name} runs in a browser`
  return target === 'zod' && file !== mayImportZod ? 'only what validates the config may load zod' : undefined
}

function checkEntries(): string[] {
  const entries = new Set(Object.values(readLibraryEntries()))
  const flat = globSync('src/*.ts').map(toPosix)
  const strays = flat
    .filter((file) => !entries.has(file))
    .map((file) => `${file}:1: a flat file in src is an entry, and package.json does not export this one. Move it to a room.`)
  const missing = [...entries].filter((file) => !existsSync(file)).map((file) => `package.json: exports ${file}, which does not exist.`)
  const declaring = [...entries].filter((file) => existsSync(file)).flatMap(checkReExports)
  // An entry may re-export another entry and more.
  const imported = sourceFiles()
    .filter((file) => !entries.has(file))
    .flatMap((file) => {
      const found = readImports(file).imports.filter(({ target }) => entries.has(target))
      return found.map(({ target, line }) => `${file}:${line}: imports the entry ${target}. Import the file that declares it.`)
    })
  return [...strays, ...missing, ...declaring, ...imported]
}

function checkReExports(entry: string): string[] {
  const { imports, others } = readImports(entry)
  const lines = [...others, ...imports.filter(({ isReExport }) => !isReExport).map(({ line }) => line)]
  return lines.map(
    (line) => `${entry}:${line}: an entry only re-exports (export … from, or an import for its effect). Declare it in a room.`,
  )
}

function checkRootGraph(entry: string): string[] {
  if (!existsSync(entry)) return []
  const chains = forbiddenInRoot.map((name) => findImportChain(entry, (target) => target === name))
  return chains
    .filter((chain) => chain !== undefined)
    .map(
      (chain) =>
        `${chain[0]}: the root entry loads ${chain.at(-1)} (${chain.join(' > ')}). Import it as a type, or where it is first needed.`,
    )
}

function checkGoldenGraph(file: string): string[] {
  if (!existsSync(file)) return []
  const chain = findImportChain(file, (target) => forbiddenInGoldens.test(target))
  return chain === undefined
    ? []
    : [`${file}: a golden's file loads ${chain.at(-1)} (${chain.join(' > ')}). Import it where it is first needed.`]
}

/** Loads a built entry in a separate process. */
function checkLoaded(entry: string): string[] {
  const file = `dist/${entry}.js`
  // The command line runs when it is loaded, and so does the process that replays past code.
  if (entry.startsWith('cli') || !existsSync(file)) return []
  if (entry === 'jest' || entry === 'jest/golden-file') return checkLoadedByJest(file)
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/list-loaded.ts', file], { encoding: 'utf8' })
  if (status !== 0) return [`${file}: cannot be loaded. ${stderr}`]
  const allowed = mayLoad.filter(([entries]) => entries.test(entry)).map(([, packages]) => packages)
  return (JSON.parse(stdout) as string[])
    .filter((name) => !(name === "Node's undici" ? loadsUndici.test(entry) : allowed.some((packages) => packages.test(name))))
    .map((name) => `${file}: loads ${name} when it is loaded. Import it where it is first needed.`)
}

/** Only Jest can load code that imports `@jest/globals`, so its imports are read instead. */
function checkLoadedByJest(file: string): string[] {
  const chain = findImportChain(file, (target) => !target.startsWith('dist/') && !target.startsWith('node:') && target !== '@jest/globals')
  return chain === undefined ? [] : [`${file}: loads ${chain.at(-1)} when it is loaded (${chain.join(' > ')}).`]
}

function sourceFiles(): string[] {
  return globSync('src/**/*.{ts,tsx}').map(toPosix).toSorted()
}

function toPosix(path: string): string {
  return path.replaceAll('\\', '/')
}
