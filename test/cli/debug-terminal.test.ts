import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import type { DebugContext } from '../../src/cli/debug/debug-commands.ts'
import { runDebugTerminal } from '../../src/cli/debug/debug-terminal.ts'
import { createTerminal } from '../../src/cli/terminal.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const CTRL_D = '\u0004'

it('ends at Ctrl-D while an expression runs on', async () => {
  await using directory = await createTemporaryDirectory()
  const started = Promise.withResolvers<undefined>()
  const evaluate = (): Promise<never> => {
    started.resolve(undefined)
    return new Promise(() => undefined)
  }
  // A replay in which an expression never ends.
  const context = { run: { step: 0, isOver: false, steps: [], evaluate } } as unknown as DebugContext
  const [input, output] = [new PassThrough(), new PassThrough()]
  const terminal = createTerminal({ stdin: input, stdout: output, stderr: output } as unknown as NodeJS.Process)
  const ended = runDebugTerminal(context, { input, output, isInteractive: true }, terminal, directory.resolve('history'))
  input.write('(() => { while (true) {} })()\r')
  await started.promise
  input.write(CTRL_D)
  await expect(ended).resolves.toBeUndefined()
})
