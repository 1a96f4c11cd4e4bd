import path from 'node:path'
import type { Vitest } from 'vitest/node'
import { displayPath } from '../node/display-path.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { checkGoldenDirectory } from '../stores/check-golden-directory.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { knownOrMade } from '../trace/remember.ts'

/** The folders of a Vitest's projects. */
interface Roots {
  /** Folders whose goldens run. */
  readonly taken: Set<string>
  /** Folders of projects in browser mode. */
  readonly inBrowser: Set<string>
}

// By config, because a restarted Vitest has a new one.
const known = new WeakMap<object, Roots>()

/** Returns the folders known so far of a Vitest's projects. */
export function rootsOf({ config }: Pick<Vitest, 'config'>): Roots {
  return knownOrMade(known, config, () => ({ taken: new Set(), inBrowser: new Set() }))
}

/** @throws GoldenNameError, TraceFormatError for a golden of this Vitest whose name must not be printed, or that leads out of the project. */
export async function checkGoldens(vitest: Pick<Vitest, 'config'>): Promise<void> {
  for (const root of rootsOf(vitest).taken) await checkGoldenDirectory(path.join(root, 'golden-traces')).catch(withoutStack)
}

/** The stack leads into goldenrun and Vitest, where the cause is not. */
function withoutStack(error: unknown): never {
  if (error instanceof Error) error.stack = `${error.name}: ${error.message}`
  throw error
}

/**
 * Refuses a test run that would skip goldens because the only project in their folder runs in a browser. Runs of selected projects
 * (`--project`) are allowed.
 *
 * @throws GoldenrunError `GOLDENRUN_BROWSER`.
 */
export async function refuseBrowserMode(vitest: Pick<Vitest, 'config'>): Promise<void> {
  if (vitest.config.project.length > 0) return
  const { taken, inBrowser } = rootsOf(vitest)
  for (const root of inBrowser) {
    const goldens = createGoldenDirectory(path.join(root, 'golden-traces'))
    if (taken.has(root) || (await goldens.list()).length === 0) continue
    withoutStack(
      new GoldenrunError(
        'GOLDENRUN_BROWSER',
        [
          `The goldens in ${displayPath(goldens.directory)} cannot run in Vitest's browser mode: an agent runs in Node, and so does its replay.`,
          'Add a Node project next to the browser project in vitest.config.ts:',
          "  test: { projects: [{ extends: true, test: { name: 'node' } }, { extends: true, test: { name: 'browser', browser: { … } } }] }",
          "Tests that import 'goldenrun/vitest' also belong in the Node project.",
        ].join('\n'),
      ),
    )
  }
}
