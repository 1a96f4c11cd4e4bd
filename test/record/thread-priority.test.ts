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
  const until = async (holds) => {
    for (let tries = 0; tries < 1000 && !holds(threads()); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10))
    return threads()
  }
  const hurry = async () => {
    await recorder.run({ agent: 'agent', input: 'one two '.repeat(2_000_000) }, () => 1)
    await recorder.run({ agent: 'agent', input: 1 }, () => 1)
    return await until((all) => all.every((nice) => nice === getPriority()))
  }
  const before = threads()
  const recorder = createRecorder({ store: 'runs', limits: { memoryBytes: 20_000_000, closeMilliseconds: 60_000 } })
  await recorder.start()
  console.log(JSON.stringify({ before, after: threads(), own: getPriority(), hurried: await hurry(), calm: await until((all) => all.some((nice) => nice !== getPriority())) }))
  await recorder.close()
`

// Elsewhere a priority is the whole process's.
it.runIf(process.platform === 'linux')(
  'lets all other threads of the process go before the one that writes, until half of what may wait does',
  async () => {
    await using directory = await createTemporaryDirectory()
    const { status, stdout, stderr } = await runNode(directory.path, ['--input-type=module', '--eval', program])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const { before, after, own, hurried, calm } = JSON.parse(stdout) as Record<'before' | 'after' | 'hurried' | 'calm', number[]> & {
      own: number
    }
    expect(new Set(before)).toEqual(new Set([own]))
    expect(after.filter((nice) => nice !== own)).toEqual([Math.min(19, own + 10)])
    // Others may not take back that they let others go first.
    expect(hurried.filter((nice) => nice !== own)).toHaveLength(process.getuid?.() === 0 ? 0 : 1)
    expect(calm.filter((nice) => nice !== own)).toEqual([Math.min(19, own + 10)])
  },
)
