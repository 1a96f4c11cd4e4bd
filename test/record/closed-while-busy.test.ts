import { expect, it } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { recordOnThread } from '../support/record-on-thread.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const warnings = collectWarnings()

it('keeps the runs of a recorder that is begun and closed while the thread is busy with another’s', async () => {
  await using directory = await createTemporaryDirectory()
  const busy = await recordOnThread(directory.resolve('busy'))
  const brief = createRecorder({ store: directory.resolve('brief'), limits: { closeMilliseconds: 0 } })
  await busy.run({ agent: 'busy', input: 'word '.repeat(1_000_000) }, () => 0)
  // The thread takes the first question. Before the second it looks, and finds that all the rest has happened.
  const flushed = Promise.all([busy.flush(), busy.flush()])
  for (const input of [1, 2, 3]) await brief.run({ agent: 'brief', input }, () => input)
  await brief.close()
  await flushed
  await busy.close()
  const store = createDirectoryStore(directory.resolve('brief'))
  expect(await store.list()).toHaveLength(3)
  expect(warnings).toEqual([
    expect.stringMatching(
      /^goldenrun closed a recorder, and 3 of its 3 runs are not stored\. The thread that writes still has \d+ bytes that were not written within limits\.closeMilliseconds \(0\)\.$/,
    ),
  ])
})
