import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { replay } from '../../src/replay/replay.ts'
import { runNode } from '../support/run-command.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { localeAgent } from './programs/locale-agent.ts'

it('gives the locale of the recording to its replay only', async () => {
  await using directory = await createTemporaryDirectory()
  const program = fileURLToPath(new URL('programs/locale-main.ts', import.meta.url))
  const { stdout, stderr } = await runNode(directory.path, [program, directory.resolve('runs')], { LC_ALL: 'de-DE', LANG: 'de_DE.UTF-8' })
  expect(stderr).toBe('')
  const trace = await readTrace(stdout.trim(), { store: directory.resolve('runs') })
  expect(trace.header.runtime.locale).toBe('de-DE')
  expect(JSON.stringify(trace.end?.output)).toContain('1.234.567,5')

  const before = [Intl.NumberFormat, Number.prototype.toLocaleString, String.prototype.localeCompare]
  const replaying = expectClean(trace, localeAgent)
  const outside = (await recordRun(localeAgent)).output
  await replaying
  expect(JSON.stringify(outside)).toContain('1,234,567.5')
  expect([Intl.NumberFormat, Number.prototype.toLocaleString, String.prototype.localeCompare]).toEqual(before)

  // Where the recording does not say, the figures are written otherwise.
  const { runtime, ...header } = trace.header
  const unsaid = { ...trace, header: { ...header, runtime: { ...runtime, locale: new Intl.NumberFormat().resolvedOptions().locale } } }
  expect((await replay(unsaid, localeAgent)).divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})
