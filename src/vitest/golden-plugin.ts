import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin, TestProjectInlineConfiguration } from 'vitest/config'
import type { TestProject, Vitest } from 'vitest/node'
import { sharedVariables } from '../config/golden-variables.ts'
import { beginRecording, readGoldenMode } from '../goldens/golden-mode.ts'
import type { GoldenReporterOptions } from '../goldens/results/report-goldens.ts'
import { DEFAULT_LIMIT, LIVE_LIMIT } from '../goldens/within-limit.ts'
import { GoldenReporter } from './golden-reporter.ts'
import { watchOf } from './golden-watch.ts'
import { rerunWhenGoldensChange } from './watch-goldens.ts'
import { quickenWorkers } from './quick-workers.ts'
import { isGolden } from '../stores/golden-directory.ts'
import { createGoldenModules, type GoldenModules, type ResolveModule } from './golden-module.ts'
import { workerFile } from './worker-file.ts'
import { rootsOf } from './roots.ts'

/** Options for goldens as tests. */
export interface GoldenrunOptions extends GoldenReporterOptions {
  /**
   * Hosts that a golden's file may contact outside of its run, with or without a port; `localhost` means every loopback address. Default:
   * none.
   */
  readonly live?: readonly string[]
  /** The limit of a replay of a golden's file, in milliseconds of real time. Vitest's `testTimeout` does not apply. Default: 60,000. */
  readonly timeout?: number
}

/**
 * Makes every golden trace of a project a test file: each `golden-traces/**\/*.jsonl` is replayed with its agent from
 * `goldenrun.config.ts`. Opens the doors before any setup file, and reports on the goldens.
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
      // Setup files run in parallel by default, but the doors have to be open before the user's files are loaded.
      const { sequence } = (config as { test?: { sequence?: { setupFiles?: string } } }).test ?? {}
      return sequence?.setupFiles === undefined ? { test: { sequence: { setupFiles: 'list' } } } : {}
    },
    // oxlint-disable-next-line typescript/no-misused-promises -- Vitest waits for it
    async configureVitest({ vitest, project, defineCacheKeyGenerator, injectTestProjects }) {
      addReporter(vitest, reports)
      if (isLive) beginRecording()
      if (project.config.browser.enabled) return void rootsOf(vitest).inBrowser.add(project.config.root)
      if (prepared.has(project)) return
      if (takesRoot(vitest, project)) {
        if (project.config.environment === 'node') includeGoldens(project)
        else for (const beside of await injectTestProjects(projectOfGoldens(project))) prepareGoldens(beside, isLive)
      }
      // A golden's module contains the agent's location, which comes from the config, but Vitest's cache key covers only the trace. Vitest 4
      // has no such cache.
      ;(defineCacheKeyGenerator as typeof defineCacheKeyGenerator | undefined)?.(({ id, sourceCode }) =>
        isGolden(id) ? (modules.loaded(id, sourceCode) ?? false) : undefined,
      )
      project.vite.watcher.on('change', (file) => {
        // Vitest drops the code of changed files, but not of modules derived from them.
        if (path.basename(file).startsWith('goldenrun.config.')) forgetGoldens(vitest, project, modules)
      })
      rerunWhenGoldensChange(vitest)
      prepareWorkers(project, isLive)
    },
    async resolveId(source, importer, options) {
      if (!isGolden(source)) return undefined
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      const resolved = found === null || isGolden(found.id) ? found : { ...found, id: ownPathOf(source, this.environment.config.root) }
      // Runs before Vitest's cache lookup (see `defineCacheKeyGenerator` above), which is synchronous.
      if (resolved !== null) await modules.load(resolved.id, resolveWith(this))
      return resolved
    },
    async load(id) {
      return await modules.load(id, resolveWith(this))
    },
  }
}

/**
 * Returns the path of a golden that is a link. Vite would load the file that the link leads to, and quote it as code that it cannot parse; a golden's
 * reader decides whether the link may be followed.
 *
 * @param source A path, or a URL of Vite's server: a path from its root.
 */
function ownPathOf(source: string, root: string): string {
  return source.startsWith(root) ? source : path.join(root, source)
}

function addReporter({ config: { reporters } }: Vitest, reports: GoldenReporterOptions): void {
  if (!reporters.some((reporter) => reporter instanceof GoldenReporter)) reporters.push(new GoldenReporter(reports))
}

/** Returns whether this project runs the goldens of its folder. If several projects share a folder, only one does; otherwise each golden would run in all. */
function takesRoot(vitest: Vitest, { config: { root } }: TestProject): boolean {
  const { taken } = rootsOf(vitest)
  return !taken.has(root) && taken.add(root).size > 0
}

/** The part of Vite's plugin context that is used here. */
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

/** Adds our setup files: the doors open before the user's setup files, and keys are set after them, so that keys from setup files stay. */
function withOwn(setupFiles: readonly string[], isLive: boolean): string[] {
  if (isLive) return [workerFile('vitest/open-doors'), ...setupFiles]
  if (setupFiles.length === 0) return [workerFile('vitest/ready-worker')]
  return [workerFile('vitest/open-doors'), ...setupFiles, workerFile('vitest/set-stand-in-keys')]
}

/** Projects added next to another project, which are already configured. */
const prepared = new WeakSet<TestProject>()

/**
 * Creates a project for the goldens next to one whose tests run in a different environment (jsdom). The config is otherwise the same: agents run in
 * Node, and a Vitest project has one environment.
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

/** Includes the goldens of a project's root, even if its tests are in a different `dir`. */
function includeGoldens({ config }: TestProject): void {
  const up = path.posix.relative(config.dir || config.root, config.root)
  const everywhere = path.posix.join(up, '**/golden-traces/**')
  config.include = [...config.include, `${everywhere}/*.jsonl`]
  config.exclude = [...config.exclude, `${everywhere}/.*`]
}

function prepareWorkers(project: TestProject, isLive: boolean): void {
  const { config, vitest } = project
  project.provide('goldenrun', true)
  project.provide('goldenrunBegun', watchOf(vitest).folder)
  config.setupFiles = withOwn(config.setupFiles, isLive)
  if (!isLive) config.env = { ...config.env, ...sharedVariables(path.join(config.root, 'golden-traces')) }
  // A live run takes real time.
  if (isLive) config.testTimeout = Math.max(config.testTimeout, LIVE_LIMIT)
  // In a Node vm context, named imports of Node's modules keep their values from process start.
  if (config.pool.startsWith('vm')) config.execArgv = [...config.execArgv, '--import', pathToFileURL(workerFile('register')).href]
  quickenWorkers(project)
}
