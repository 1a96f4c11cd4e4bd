import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { tool } from '../../src/run/tool.ts'
import { wrapTools } from '../../src/run/wrap-tools.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const server = await listen(async ({ url, socket }, response) => {
  if (url === '/lost') socket.destroy()
  else response.end('{}')
})
afterAll(() => server.close())

const taken: string[] = []
const take = (): void => void taken.push(new Error('where').stack ?? '')

const look = tool('look', {}, async (order: string) => {
  await fetch(server.url)
  take()
  return order
})

const { find } = wrapTools({
  find: {
    description: 'finds an order',
    execute: async (order: { id: string }) => {
      await fetch(server.url)
      take()
      return order
    },
  },
})

async function* talk(): AsyncGenerator<string> {
  yield 'one'
  await fetch(server.url)
  take()
  yield 'two'
}

async function agent(): Promise<AsyncGenerator<string>> {
  await (await fetch(server.url)).text()
  take()
  await look('ord_1')
  take()
  await find.execute({ id: 'ord_1' })
  await new Promise((resolve) => setTimeout(resolve, 1))
  take()
  try {
    await fetch(`${server.url}/lost`)
  } catch (error) {
    taken.push((error as Error).stack ?? '')
  }
  return talk()
}

async function answerTicket(run: (agent: () => Promise<AsyncGenerator<string>>) => Promise<AsyncGenerator<string>>): Promise<void> {
  for await (const word of await run(agent)) expect(word).toMatch(/one|two/)
}

it('leaves no frame of goldenrun in the stacks that an agent takes after its first await', async () => {
  await using directory = await createTemporaryDirectory()
  await answerTicket((body) => body())
  const alone = taken.splice(0)
  const recorder = createRecorder({ store: directory.resolve('runs'), thread: false })
  await answerTicket((body) => recorder.run({ agent: 'support', input: undefined }, body))
  await recorder.close()
  const frames = (stacks: readonly string[]): string[] => stacks.map((stack) => stack.replaceAll(/:\d+:\d+\)?$/gm, ''))
  expect(taken).toHaveLength(7)
  expect(taken.join('\n')).not.toContain(new URL('../../src', import.meta.url).pathname)
  expect(frames(taken).filter((stack) => stack.includes('async answerTicket')).length).toBe(
    frames(alone).filter((stack) => stack.includes('async answerTicket')).length,
  )
})
