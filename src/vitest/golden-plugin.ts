import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin, TestProjectInlineConfiguration } from 'vitest/config'
import type { TestProject, Vitest } from 'vitest/node'
import { readGoldenMode } from '../goldens/golden-mode.ts'
import type { GoldenReporterOptions } from '../goldens/results/report-goldens.ts'
import { DEFAULT_LIMIT, LIVE_LIMIT } from '../goldens/within-limit.ts'
import { GoldenReporter } from './golden-reporter.ts'
import { rerunWhenGoldensChange } from './watch-goldens.ts'
import { quickenWorkers } from './quick-workers.ts'
import { isGolden } from '../stores/golden-directory.ts'
import { createGoldenModules, type GoldenModules, type ResolveModule } from './golden-module.ts'
import { workerFile } from './worker-file.ts'
import { rootsOf } from './roots.ts'

/** How goldens run as tests. */
export interface GoldenrunOptions extends GoldenReporterOptions {
  /**
   * Hosts that a golden's file may reach outside of its run, with their port or without; `localhost` is every loopback address. Default: none.
   */
  readonly live?: readonly string[]
  /** Milliseconds of real time that the replay of a golden's file may take: Vitest's `testTimeout` is not for them. Default: 60,000. */
  readonly timeout?: number
}

/**
 * Makes every golden trace of a project a test file: each `golden-traces/**\/*.jsonl` is replayed against its agent, which
 * `goldenrun.config.ts` names. Opens the doors before any setup file, and reports on the goldens.
 *
 * @example
 * // vitest.config.ts
 * import { goldenrun } from 'goldenrun/vitest/plugin'
 * import { defineConfig } from 'vitest/config'
 *
 * export default defineConfig({ plugins: [goldenrun()] })
 */
export function goldenrun({ live = [], timeout = DEFAULT_LIMIT, ...reports }: GoldenrunOptions = {}): Plugin {
  const isLive = readGoldenMode() === 'record'
  const modules = createGoldenModules({ live, limit: isLive ? Math.max(timeout, LIVE_LIMIT) : timeout })
  return {
    name: 'goldenrun',
    enforce: 'pre',
    config(config) {
      // Setup files are started all at once by default; the doors have to be open before the user's are loaded.
      const { sequence } = (config as { test?: { sequence?: { setupFiles?: string } } }).test ?? {}
      return sequence?.setupFiles === undefined ? { test: { sequence: { setupFiles: 'list' } } } : {}
    },
    // oxlint-disable-next-line typescript/no-misused-promises -- Vitest waits for it
    async configureVitest({ vitest, project, defineCacheKeyGenerator, injectTestProjects }) {
      addReporter(vitest, reports)
      if (project.config.browser.enabled) return void rootsOf(vitest).inBrowser.add(project.config.root)
      if (prepared.has(project)) return
      if (takesRoot(vitest, project)) {
        if (project.config.environment === 'node') includeGoldens(project)
        else for (const beside of await injectTestProjects(projectOfGoldens(project))) prepareGoldens(beside, isLive)
      }
      // A golden's module says where its agent is: that is in the config, not in the trace that Vitest would know it again by. Vitest 4 has no such cache.
      ;(defineCacheKeyGenerator as typeof defineCacheKeyGenerator | undefined)?.(({ id, sourceCode }) =>
        isGolden(id) ? (modules.loaded(id, sourceCode) ?? false) : undefined,
      )
      project.vite.watcher.on('change', (file) => {
        // Vitest forgets the code of what changed, and not of what was made of it.
        if (path.basename(file).startsWith('goldenrun.config.')) forgetGoldens(vitest, project, modules)
      })
      rerunWhenGoldensChange(vitest)
      prepareWorkers(project, isLive)
    },
    async resolveId(source, importer, options) {
      if (!isGolden(source)) return undefined
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      // Before Vitest asks whether it knows the module (see `defineCacheKeyGenerator` above), which cannot wait.
      if (resolved !== null) await modules.load(resolved.id, resolveWith(this))
      return resolved
    },
    async load(id) {
      return await modules.load(id, resolveWith(this))
    },
  }
}

function addReporter({ config: { reporters } }: Vitest, reports: GoldenReporterOptions): void {
  if (!reporters.some((reporter) => reporter instanceof GoldenReporter)) reporters.push(new GoldenReporter(reports))
}

/** Of several projects in one folder one has its goldens, or each of them would run in all. */
function takesRoot(vitest: Vitest, { config: { root } }: TestProject): boolean {
  const { taken } = rootsOf(vitest)
  return !taken.has(root) && taken.add(root).size > 0
}

/** What Vite gives to the hooks of plugins, as far as it is used here. */
interface HookContext {
  resolve(source: string, importer: string): Promise<{ readonly id: string } | null>
}

function resolveWith(context: HookContext): ResolveModule {
  return async (source, importer) => (await context.resolve(source, importer))?.id
}

function forgetGoldens(vitest: Vitest, { vite }: TestProject, modules: GoldenModules): void {
  modules.forget()
  for (const { moduleGraph } of Object.values(vite.environments)) {
    for (const { file } of moduleGraph.idToModuleMap.values()) if (file !== null && isGolden(file)) vitest.invalidateFile(file)
  }
}

/** The doors are opened before the user's setup files, and keys set after them: what those have set stays. */
function withOwn(setupFiles: readonly string[], isLive: boolean): string[] {
  if (isLive) return [workerFile('vitest/open-doors'), ...setupFiles]
  if (setupFiles.length === 0) return [workerFile('vitest/ready-worker')]
  return [workerFile('vitest/open-doors'), ...setupFiles, workerFile('vitest/set-stand-in-keys')]
}

/** Projects that are ready, though they were added beside another. */
const prepared = new WeakSet<TestProject>()

/**
 * A project for the goldens beside one whose tests run in another environment (jsdom), with the same config but for that: an agent runs in Node, and
 * Vitest has one environment for all test files of a project.
 */
function projectOfGoldens({ config, vite }: TestProject): TestProjectInlineConfiguration {
  const { configFile } = vite.config
  return {
    root: config.root,
    ...(configFile !== undefined && { extends: configFile }),
    test: { name: 'golden-traces', environment: 'node' },
  }
}

function prepareGoldens(project: TestProject, isLive: boolean): void {
  prepared.add(project)
  project.config.include = []
  includeGoldens(project)
  prepareWorkers(project, isLive)
}

/** The goldens of a project's root are found wherever its tests are looked for (`dir`, which need not be set). */
function includeGoldens({ config }: TestProject): void {
  const up = path.posix.relative(config.dir || config.root, config.root)
  const everywhere = path.posix.join(up, '**/golden-traces/**')
  config.include = [...config.include, `${everywhere}/*.jsonl`]
  config.exclude = [...config.exclude, `${everywhere}/.*`]
}

function prepareWorkers(project: TestProject, isLive: boolean): void {
  const { config } = project
  project.provide('goldenrun', true)
  config.setupFiles = withOwn(config.setupFiles, isLive)
  // A live run takes the time that the world takes.
  if (isLive) config.testTimeout = Math.max(config.testTimeout, LIVE_LIMIT)
  // In a context of Node's vm, named imports of its modules stay as they were when the process began.
  if (config.pool.startsWith('vm')) config.execArgv = [...config.execArgv, '--import', pathToFileURL(workerFile('register')).href]
  quickenWorkers(project)
}
