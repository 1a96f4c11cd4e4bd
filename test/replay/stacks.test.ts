import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { notesOf } from '../../src/divergence/report/notes.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

const server = await listen(async (_request, response) => void response.end('{"choices":[]}'))
afterAll(() => server.close())

const report = tool('report', {}, async (details: unknown) => Promise.resolve(details !== undefined))

function parse(text: string): string {
  try {
    JSON.parse(text)
    return 'valid'
  } catch (error) {
    return (error as Error).stack ?? ''
  }
}

/** Calls `body` with more frames below it than there are in a recording. */
function below<Result>(body: () => Result): Result {
  return (() => (() => body())())()
}

/** Sends the stack of an error in a prompt, as a tool's argument, in a checkpoint, and in its output. */
async function agent(text: string, wrap: <Result>(body: () => Result) => Result = (body) => body()): Promise<unknown> {
  const stack = wrap(() => parse(text))
  const content = `The tool failed: ${stack}\nTry again.`
  const messages = [{ role: 'user', content }]
  const nested = [{ role: 'tool', content: JSON.stringify({ error: stack }) }]
  await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [...messages, ...nested] }),
  })
  await fetch(`${server.url}/logs`, { method: 'POST', body: content })
  await report({ stack })
  checkpoint('failed', { stack })
  return { stack }
}

it('compares only the name and the message of a stack', async () => {
  const { trace } = await recordRun(() => agent('{'))
  for (const wrap of [undefined, below]) {
    const run = await replay(trace, () => agent('{', wrap))
    expect(run.divergences).toEqual([])
    expect(run.hash).toBe(trace.hash)
  }
  const { divergences } = await replay(trace, () => agent('[1,'))
  expect(divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})

it('lists the stacks whose frames differ', async () => {
  const { trace } = await recordRun(() => agent('{'))
  const run = await replay(trace, () => agent('{', below))
  expect(run.stacks.map(({ place, path }) => [place, path])).toEqual([
    [{ step: 1 }, 'messages[0].content'],
    [{ step: 1 }, 'messages[1].content'],
    [{ step: 2 }, 'body'],
    [{ step: 3 }, 'args.stack'],
    [{ checkpoint: 'failed' }, 'state.stack'],
    ['outcome', 'output.stack'],
  ])
  expect(notesOf(run).join('\n')).toContain(
    '6 stacks differ from the recorded ones in their frames, which are not compared: messages[0].content',
  )
})
