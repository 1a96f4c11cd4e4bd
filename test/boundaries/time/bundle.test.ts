import { readFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { expect, it } from 'vitest'
import { minizlibOnUse } from '../../../scripts/built-in.ts'
import { readTrace } from '../../../src/replay/traces/read-trace.ts'
import { runNode } from '../../support/run-command.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { waitingAgent } from './programs/waiting-agent.ts'

it('replays from the sources what a minified bundle recorded', async () => {
  await using directory = await createTemporaryDirectory()
  const bundle = directory.resolve('bundle.mjs')
  await build({
    input: fileURLToPath(new URL('programs/waiting-main.ts', import.meta.url)),
    platform: 'node',
    // As the package's own build does.
    plugins: [minizlibOnUse],
    // Agent, tools, goldenrun: everything in one file of short names.
    output: { file: bundle, format: 'esm', minify: true, codeSplitting: false },
    logLevel: 'warn',
  })
  const text = await readFile(bundle, 'utf8')
  expect(text).not.toContain('waitingAgent')
  expect(text.length / text.split('\n').length).toBeGreaterThan(500)

  const store = directory.resolve('runs')
  const { stdout, stderr } = await runNode(directory.path, [bundle, store])
  // A bundle has no file to start the writer's thread with.
  expect(stderr).toMatch(/^\(node:\d+\) Warning: goldenrun redacts and writes recordings on the agents' thread: .*\n.*trace-warnings.*\n$/)
  const trace = await readTrace(directory.resolve('runs', readdirSync(store)[0] ?? ''))
  expect(trace.end?.output).toEqual(JSON.parse(stdout))
  expect(trace.steps.length).toBe(4 + 3 * 4)
  await expectClean(trace, waitingAgent)
})
