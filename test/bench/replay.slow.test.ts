import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Figures } from '../../bench/figures.ts'

const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url))

const runBench = async (...options: string[]): Promise<{ stdout: string; stderr: string }> =>
  await promisify(execFile)(process.execPath, [main, ...options])

/** The metrics that a suite has to give, by unit. */
const expected: Readonly<Record<string, readonly string[]>> = {
  x: [
    'step_vs_floor',
    'stream_step_vs_floor',
    'step_vs_unyielding',
    'step_vs_aimock',
    'step_vs_nock',
    'step_vs_polly',
    'stream_step_vs_aimock',
    'stream_step_vs_nock',
    'stream_step_vs_polly',
    'growth_3000_over_300',
    'memory_growth_3000_over_300',
    'golden_bytes_vs_wire',
  ],
  ms: ['eighty_second_run_ms'],
  MB: ['heap_growth_10000_replays_mb'],
}

it('prints the figures of a replay as one JSON object and nothing else', { timeout: 300_000 }, async () => {
  const { stdout } = await runBench('replay', '--json', '--quick')
  const { suite, node, cores, metrics, absences = {} } = JSON.parse(stdout) as Figures
  expect([suite, node, typeof cores]).toEqual(['replay', process.versions.node, 'number'])
  // What cannot be measured here (a peer that is not installed, data that is not there) is named, with the reason.
  const given = (name: string): string | undefined => metrics[name]?.unit ?? (typeof absences[name] === 'string' ? 'absent' : undefined)
  const names = Object.entries(expected).flatMap(([unit, each]) => each.map((name) => [name, unit]))
  expect(names.map(([name = '']) => [name, given(name)])).toEqual(
    names.map(([name = '', unit]) => [name, name in absences ? 'absent' : unit]),
  )
  expect(Object.entries(metrics).filter(([, { value }]) => !Number.isFinite(value))).toEqual([])
  expect(Object.keys(absences).filter((name) => !/_vs_(aimock|nock|polly|wire)$/.test(name))).toEqual([])
})

it('refuses to write down the figures of a quick run', async () => {
  await expect(runBench('replay', '--quick', '--write')).rejects.toMatchObject({
    code: 2,
    stderr: '--quick measures too little for figures that are written down: leave out --write.\n',
  })
})
