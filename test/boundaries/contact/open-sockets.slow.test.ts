import { expect, it } from 'vitest'
import { runNode } from '../../support/run-command.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

it("meets nothing of the process's own output", async () => {
  const program = `
    import { createRecorder } from ${JSON.stringify(new URL('../../../src/index.ts', import.meta.url).href)}
    import { listTraces, readTrace } from ${JSON.stringify(new URL('../../../src/replay.ts', import.meta.url).href)}
    const recorder = createRecorder({ store: 'runs' })
    await recorder.run({ agent: 'a', input: {} }, async () => {
      console.log('out')
      console.error('err')
    })
    await recorder.close()
    const [{ id }] = await listTraces({ store: 'runs' })
    console.log((await readTrace(id, { store: 'runs' })).rows.some(({ kind }) => kind === 'note'))
  `
  await using directory = await createTemporaryDirectory()
  await directory.write('program.mjs', program)
  expect(await runNode(directory.path, ['program.mjs'])).toEqual({ status: 0, stdout: 'out\nfalse\n', stderr: 'err\n' })
})
