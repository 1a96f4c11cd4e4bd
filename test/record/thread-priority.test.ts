import { expect, it } from 'vitest'
import { runNode } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const recorderModule = new URL('../../src/record/recorder.ts', import.meta.url).href

/**
 * Prints how nice each thread of a process is that records, and the process itself as others see it. Source: proc(5), `/proc/pid/task/tid/stat`, of which
 * nice is the nineteenth field; the second, the thread's name, is in brackets and may hold anything.
 */
const program = `
  import { readdirSync, readFileSync } from 'node:fs'
  import { getPriority } from 'node:os'
  import { createRecorder } from ${JSON.stringify(recorderModule)}
  const threads = () => readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync('/proc/self/task/' + thread + '/stat', 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
  const before = threads()
  const recorder = createRecorder({ store: 'runs' })
  await recorder.start()
  console.log(JSON.stringify({ before, after: threads(), own: getPriority() }))
  await recorder.close()
`

// Elsewhere a priority is the whole process's.
it.runIf(process.platform === 'linux')('lets all other threads of the process go before the one that writes', async () => {
  await using directory = await createTemporaryDirectory()
  const { status, stdout, stderr } = await runNode(directory.path, ['--input-type=module', '--eval', program])
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const { before, after, own } = JSON.parse(stdout) as { before: number[]; after: number[]; own: number }
  expect(new Set(before)).toEqual(new Set([own]))
  expect(after.filter((nice) => nice !== own)).toEqual([Math.min(19, own + 10)])
})
