import { statSync } from 'node:fs'
import path from 'node:path'
import { findAgent, locateModule, missingAgent } from '../config/agent-reference.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import { titleOf } from '../goldens/described-golden.ts'
import type { GoldenFile } from '../goldens/golden-agent.ts'
import { testTimeout } from '../goldens/within-limit.ts'
import { ownSurroundings } from '../replay/engine/own-surroundings.ts'
import { displayPath } from '../node/display-path.ts'
import { isGolden } from '../stores/golden-directory.ts'
import { readTraceFile } from '../stores/read-trace-file.ts'
import { readingLimits } from '../stores/reading-limits.ts'
import { checked } from '../trace/check-row.ts'
import { createDecoder } from '../trace/codec/decoder.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { RunRow } from '../trace/run-row.ts'
import { workerFile } from './worker-file.ts'

/** Resolves an import of a module. */
export type ResolveModule = (source: string, importer: string) => Promise<string | undefined>

/** Golden traces as Vite modules. */
export interface GoldenModules {
  /** Returns the code of a golden's module: a test that replays it. Undefined for a module that is not a golden. */
  load(id: string, resolve: ResolveModule): Promise<string | undefined>
  /** Returns the last loaded code if everything that it depends on, including the golden's text, is unchanged. Undefined if that is unknown. */
  loaded(id: string, text: string): string | undefined
  /** Forgets all loaded modules, because their sources have changed. */
  forget(): void
}

/** The facts about a golden before its replay. */
interface GoldenTest {
  readonly name: string
  readonly title: string
  /** The config's file, and the location of the agent. */
  readonly config?: string
  readonly agent?: { readonly module: string; readonly exported: string }
  /** Why it cannot be replayed. */
  readonly failure?: string
  /** The header that these fields were read from, except the config. */
  readonly header?: string
}

/** The settings of golden tests that are part of their modules. */
type GoldenTestSettings = Pick<GoldenFile, 'live' | 'limit'>

/** Creates the modules of goldens. The config is read once, and again when it changes. */
export function createGoldenModules(settings: GoldenTestSettings): GoldenModules {
  const configOf = rememberConfigs()
  const known = new Map<string, { readonly code: string; readonly header: string }>()
  return {
    async load(id, resolve) {
      if (!isGolden(id)) return undefined
      const golden = await describeTest(id, configOf, resolve)
      const code = toCode(id, settings, golden)
      known.delete(id)
      if (golden.header !== undefined) known.set(id, { code, header: golden.header })
      return code
    },
    loaded(id, text) {
      const { code, header } = known.get(id) ?? {}
      return header !== undefined && text.startsWith(`${header}\n`) ? code : undefined
    },
    forget: () => known.clear(),
  }
}

async function describeTest(
  file: string,
  configOf: (directory: string) => Promise<LoadedConfig>,
  resolve: ResolveModule,
): Promise<GoldenTest> {
  const shown = displayPath(file)
  const fallback = path.basename(file, '.jsonl')
  let about = aboutOf({}, fallback)
  let config: string | undefined
  try {
    const { line, header } = await readHeader(file)
    about = aboutOf(header, fallback)
    const loaded = await configOf(path.dirname(file))
    config = loaded.file
    const agent = await resolveAgent(header.agent, loaded, shown, resolve)
    return { ...about, agent, header: line, ...(config === undefined ? {} : { config }) }
  } catch (error) {
    if (!GoldenrunError.isInstance(error)) throw error
    // The test fails with this error, so it can be listed and selected like any other test.
    return { ...about, failure: error.message, ...(config === undefined ? {} : { config }) }
  }
}

async function readHeader(file: string): Promise<{ readonly line: string; readonly header: RunRow }> {
  const { text = '', file: shown = file } = (await readTraceFile(file)) ?? {}
  const [line = ''] = text.replace(/^\uFEFF/, '').split('\n', 1)
  const header = createDecoder(checked, { file: shown, limits: readingLimits() }).decode(line)
  if (header?.kind === 'run') return { line, header }
  throw new GoldenrunError('GOLDENRUN_TRACE_FORMAT', `${shown}: the file is empty and has no run row. Restore it or delete it.`)
}

/** Returns a golden's name, and its title with its description. */
function aboutOf({ golden }: Pick<RunRow, 'golden'>, fallback: string): Pick<GoldenTest, 'name' | 'title'> {
  const about = { name: fallback, ...golden }
  return { name: about.name, title: titleOf(about) }
}

async function resolveAgent(
  name: string,
  { config, file }: LoadedConfig,
  shown: string,
  resolve: ResolveModule,
): Promise<NonNullable<GoldenTest['agent']>> {
  const reference = findAgent(config, name)
  if (file === undefined || reference === undefined) throw missingAgent(shown, name, { config, ...(file === undefined ? {} : { file }) })
  const { module, exported } = reference
  const id = await resolve(locateModule(file, module), file)
  if (id !== undefined) return { module: id, exported }
  throw new GoldenrunError(
    'GOLDENRUN_NO_AGENT',
    `${displayPath(file)}: agents.${name} is ${module}, which does not exist. Correct the path.`,
  )
}

/**
 * Returns the code of a golden's module.
 *
 * @note The agent is imported by a literal that Vite can analyse, so a change in any of its modules reruns the golden. `test` is called by
 * name with a literal title, because `vitest list` and editors analyse the code.
 */
function toCode(file: string, { live, limit }: GoldenTestSettings, { name, title, config, agent, failure }: GoldenTest): string {
  const load = (module: string): string => `() => import(${JSON.stringify(module)})`
  const fields = [
    `file: ${JSON.stringify(file)}`,
    `name: ${JSON.stringify(name)}`,
    `live: ${JSON.stringify(live)}`,
    `limit: ${limit}`,
    `surroundings: ${JSON.stringify(ownSurroundings())}`,
    ...(config === undefined ? [] : [`loadConfig: ${load(config)}`]),
    ...(agent === undefined ? [] : [`exported: ${JSON.stringify(agent.exported)}`, `loadAgent: ${load(agent.module)}`]),
    ...(failure === undefined ? [] : [`failure: ${JSON.stringify(failure)}`]),
  ]
  return [
    "import { test } from 'vitest'",
    `import { openGolden } from ${JSON.stringify(workerFile('vitest/golden-file'))}`,
    `const hold = await openGolden({ ${fields.join(', ')} })`,
    `test(${quote(title)}, hold, ${testTimeout(limit)})`,
    '',
  ].join('\n')
}

/**
 * Quotes a text as a string literal. `vitest list` shows the raw source between the quotes, so quotes that the text does not contain are used if
 * possible.
 */
function quote(text: string): string {
  const mark = ['"', "'"].find((candidate) => !text.includes(candidate))
  return mark === undefined || text.includes('\\') ? JSON.stringify(text) : `${mark}${text}${mark}`
}

function rememberConfigs(): (directory: string) => Promise<LoadedConfig> {
  const known = new Map<string, { readonly loaded: Promise<LoadedConfig>; readonly changed: number | undefined }>()
  const changedAt = ({ file }: LoadedConfig): number | undefined =>
    file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return async (directory) => {
    const before = known.get(directory)
    if (before !== undefined) {
      const loaded = await before.loaded.catch(() => undefined)
      if (loaded?.file !== undefined && changedAt(loaded) === before.changed) return loaded
    }
    const { loadConfig } = await import('../config/load-config.ts')
    const loaded = loadConfig(directory)
    const changed = await loaded.then(changedAt, () => undefined)
    known.set(directory, { loaded, changed })
    return await loaded
  }
}
