import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzipSync } from 'node:zlib'
import OpenAI from 'openai'
import { startProvider } from '../../examples/world/provider.ts'
import { tool } from '../../src/run/tool.ts'
import { createRandom } from '../support/random.ts'
import { disposeAfter } from '../support/dispose-after.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import type { Program } from './program.ts'

interface Input {
  readonly baseURL: string
}

const packed = gzipSync('a document of some length '.repeat(400))
const note = tool('note', { effect: 'write' }, async (line: string) => line.length)

/** Works between its calls: on files, on compressed text, on a key. What it works on decides what it asks next. */
async function agent({ baseURL }: Input): Promise<unknown> {
  return await disposeAfter(await createTemporaryDirectory(), async (directory) => {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL })
    const seen: unknown[] = []
    let content = 'Where do I begin?'
    for (let round = 0; round < 3; round += 1) {
      await directory.write('answer', await ask(client, content))
      const kept = await directory.read('answer')
      const [document, key] = await Promise.all([
        promisify(gunzip)(packed),
        promisify(pbkdf2)(kept, `salt ${round}`, 1000 * (round + 1), 16, 'sha256'),
      ])
      seen.push(kept, document.length, await note(key.toString('hex')), Date.now())
      content = `${key.toString('hex')} of ${document.length}`
    }
    return seen
  })
}

async function ask(client: OpenAI, content: string): Promise<string> {
  const question = { model: 'gpt-4.1', messages: [{ role: 'user' as const, content }] }
  let text = ''
  for await (const { choices } of await client.chat.completions.create({ ...question, stream: true }))
    text += choices[0]?.delta.content ?? ''
  return text
}

/** @param seed What the delays of the provider are drawn by. */
export function createOwnWork(seed: string): Program {
  return {
    about: 'files, gunzip and pbkdf2 between calls',
    agent,
    async record() {
      const random = createRandom(seed)
      const provider = await startProvider({
        script: ({ ordinal }) => ({
          text: `answer ${ordinal} in several words`,
          delayMs: random.whole(0, 4),
          chunkDelayMs: random.whole(0, 2),
        }),
      })
      return await disposeAfter(provider, async () => {
        return (await recordRun(agent, { input: { baseURL: provider.openaiBaseUrl } })).trace
      })
    },
  }
}
