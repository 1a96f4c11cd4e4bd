import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { runNode } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const recorderModule = new URL('../../src/record/recorder.ts', import.meta.url).href

/** What another recorder of the process does before the run. */
export const others: Readonly<Record<string, string>> = {
  'there is no other recorder': '',
  'another recorder was closed': 'await other.close()',
  'another recorder was closed twice': 'await other.close(); await other.close()',
}

/** Tests that what such a process handed over is written. */
export function testProcessExit(what: string): void {
  const doing = others[what] ?? ''
  it(`writes what a recorder handed over that is not closed when the process exits, where ${what}`, async () => {
    await using directory = await createTemporaryDirectory()
    const program = `
      import { createRecorder } from ${JSON.stringify(recorderModule)}
      const recorder = createRecorder({ store: 'runs' })
      await recorder.start()
      const other = createRecorder({ store: 'others' })
      await other.start()
      ${doing}
      await recorder.run({ agent: 'agent', input: 'in' }, async (input) => input + ' and out')
      process.exit()
    `
    const { status, stderr } = await runNode(directory.path, ['--input-type=module', '--eval', program])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const [file = '', ...more] = (await readdir(directory.resolve('runs'))).filter((name) => name.endsWith('.runlog'))
    expect(more).toEqual([])
    expect((await readTrace(directory.resolve('runs', file))).end?.output).toBe('in and out')
  })
}
