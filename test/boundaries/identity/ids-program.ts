import { createId, init } from '@paralleldrive/cuid2'
import { customAlphabet, nanoid, random } from 'nanoid'
import { monotonicFactory, ulid } from 'ulid'
import { v1, v4, v6, v7 } from 'uuid'
import { createRecorder } from '../../../src/record/recorder.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { readdirSync } from 'node:fs'

const nextUlid = monotonicFactory()
const shortId = init({ length: 10 })
const pin = customAlphabet('0123456789', 6)
const ids = () => [v1(), v4(), v6(), v7(), v4({}), nanoid(), nanoid(8), pin(), Buffer.from(random(5)).toString('hex'), ulid(), nextUlid(), createId(), shortId()]
const named = tool('named', {}, async () => ids())
const agent = async () => [...ids(), ...(await named()), ...ids()]
const [mode, store = ''] = process.argv.slice(2)
if (mode === 'record') {
  for (let i = 0; i < 50; i++) ids()
  const recorder = createRecorder({ store })
  await recorder.run({ agent: 'other', input: {} }, async () => ids())
  console.log(JSON.stringify(await recorder.run({ agent: 'a', input: {} }, agent)))
  await recorder.close()
} else {
  const path = store + '/' + readdirSync(store).sort().at(-1)
  const outs = []
  for (let i = 0; i < 2; i++) { const r = await replay(path, agent, { tools: 'run' }); outs.push(r.outcome.output); ids() }
  console.log(JSON.stringify(outs))
}
