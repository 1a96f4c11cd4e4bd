import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Mode } from './modes.ts'

/** For each way of loading a module, for each probe: whether a replay gave what was recorded. */
export type Found = Readonly<Record<string, Readonly<Record<string, boolean>>>>

const programs = new URL('../../boundaries/register/programs/', import.meta.url)
const register = new URL('../../../src/register.ts', import.meta.url).href
const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
const project = fileURLToPath(new URL('project/', import.meta.url))

/** Tries all probes in a mode, on a Node. Rejects where they did not come to their end. */
export async function runReadsTrial({ vitest: runner, node: own, name }: Mode, node: string): Promise<Found> {
  const directory = await mkdtemp(join(tmpdir(), 'goldenrun-reads-'))
  const file = join(directory, 'found.json')
  const args =
    runner === undefined
      ? [
          ...(own?.preload === true ? ['--import', register] : []),
          fileURLToPath(new URL('probe.ts', programs)),
          own?.late === true ? 'late' : 'early',
        ]
      : [vitest, 'run', '--config', `${runner.config}.config.ts`, '--pool', runner.pool]
  // What a test runner sets for its own workers is nothing for this one.
  const env = { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', PROBES_FOUND: file }
  try {
    await promisify(execFile)(node, ['--disable-warning=ExperimentalWarning', ...args], { cwd: project, env, timeout: 120_000 })
    return JSON.parse(await readFile(file, 'utf8')) as Found
  } catch (error) {
    throw new Error(`The probes in ${name} did not come to their end: ${String(error).slice(0, 2000)}`, { cause: error })
  } finally {
    await rm(directory, { recursive: true })
  }
}
