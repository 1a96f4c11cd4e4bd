/**
 * Records a run in a process that has made many ids before, or replays it in one that has made none; prints the ids, by the way they are made.
 * Arguments: `record` or `replay`, and the directory of the recording.
 */
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createId, init } from '@paralleldrive/cuid2'
import { customAlphabet, nanoid, random } from 'nanoid'
import { monotonicFactory, ulid } from 'ulid'
import { v1, v4, v6, v7 } from 'uuid'
import { createRecorder } from '../../../../src/record/recorder.ts'
import { replay } from '../../../../src/replay/replay.ts'

const { ulid: requiredUlid, monotonicFactory: requiredFactory } = createRequire(import.meta.url)('ulid') as typeof import('ulid')
const nextUlid = monotonicFactory()
const nextRequiredUlid = requiredFactory()
const pin = customAlphabet('0123456789', 12)
const short = init({ length: 12 })
const bytes = (): Uint8Array => new Uint8Array(16)

const ways: Readonly<Record<string, () => unknown>> = {
  'uuid v1': () => v1(),
  'uuid v1 of another node': () => v1({ node: Uint8Array.of(1, 2, 3, 4, 5, 6) }),
  'uuid v4': () => v4(),
  'uuid v4 into bytes': () => Buffer.from(v4({}, bytes())).toString('hex'),
  'uuid v6': () => v6(),
  'uuid v7': () => v7(),
  'uuid v7 into bytes': () => Buffer.from(v7(undefined, bytes())).toString('hex'),
  nanoid: () => nanoid(),
  'nanoid of a size': () => nanoid(8),
  'nanoid of an alphabet': () => pin(),
  'nanoid bytes': () => Buffer.from(random(8)).toString('hex'),
  ulid: () => ulid(),
  'ulid, monotonic': () => nextUlid(),
  'ulid of CommonJS': () => requiredUlid(),
  'ulid of CommonJS, monotonic': () => nextRequiredUlid(),
  cuid2: () => createId(),
  'cuid2 of a length': () => short(),
}

const agent = async (): Promise<Record<string, unknown[]>> => {
  const rounds = [makeIds(), makeIds()]
  await sleep(5)
  rounds.push(makeIds())
  return Object.fromEntries(Object.keys(ways).map((way) => [way, rounds.map((round) => round[way])]))
}

const [mode, store = ''] = process.argv.slice(2)
if (mode === 'record') {
  for (let count = 0; count < 300; count += 1) makeIds()
  const recorder = createRecorder({ store })
  await recorder.run({ agent: 'other', input: {} }, agent)
  const ids = await recorder.run({ agent: 'ids', input: {} }, agent)
  await recorder.close()
  console.log(JSON.stringify(ids))
} else {
  const last = join(
    store,
    readdirSync(store)
      .filter((name) => name.endsWith('.runlog'))
      .toSorted()
      .at(-1) ?? '',
  )
  const cold = await replay(last, agent)
  makeIds()
  const warm = await replay(last, agent)
  console.log(JSON.stringify([cold.outcome, warm.outcome].map((outcome) => outcome.status === 'returned' && outcome.output)))
}

function makeIds(): Record<string, unknown> {
  return Object.fromEntries(Object.entries(ways).map(([way, make]) => [way, make()]))
}
