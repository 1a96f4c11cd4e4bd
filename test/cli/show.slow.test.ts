import { expect, it } from 'vitest'
import { hasTerminal, pager, showAtTerminal } from '../support/show-at-terminal.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

it.runIf(hasTerminal)('pages only where it is not told otherwise, and a pager can be started', async () => {
  await using project = await createTemporaryDirectory()
  expect(await showAtTerminal(project, 10, '--no-pager', pager)).toContain('Golden trace')
  expect(await showAtTerminal(project, 10, '--json', pager)).toContain('"header": {')
  expect(await showAtTerminal(project, 10, '', { PAGER: 'no-such-pager' })).toContain('Golden trace')
  expect(await showAtTerminal(project, 10, '', { PAGER: '' })).toContain('Golden trace')
})
