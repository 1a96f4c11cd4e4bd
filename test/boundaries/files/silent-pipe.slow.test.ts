import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import fsp from 'node:fs/promises'
import { expect, it } from 'vitest'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

// It waits for two seconds.
it('lets a recorded agent read other files while it waits for a pipe', async () => {
  await using directory = await createTemporaryDirectory()
  const pipe = directory.resolve('pipe')
  execFileSync('mkfifo', [pipe])
  const { output } = await recordRun(
    async () => {
      const silent = fsp.readFile(pipe, 'utf8')
      const log = await fsp.readFile(directory.resolve('log.txt'), 'utf8').catch(({ code }: { code: string }) => code)
      // Only after that somebody does.
      fs.writeFileSync(pipe, 'at last')
      return [log, await silent]
    },
    { recorder: { files: { record: [`${directory.path}/**`] } } },
  )
  expect(output).toEqual(['ENOENT', 'at last'])
})
