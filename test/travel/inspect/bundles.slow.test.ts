import { rm } from 'node:fs/promises'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createInspectedProject, type InspectedProject, places, stepOf, variable } from './inspected-project.ts'

// One agent as its sources, bundled and minified. What is expected is read off the sources.

const files = {
  'src/agent.ts': `
import { cancelOrder, getOrder } from './tools.ts'

export interface Ticket { text: string }

export async function supportAgent({ text }: Ticket): Promise<{ history: string[] }> {
  const orderId = findOrderId(text)
  const history: string[] = []
  const order = await getOrder({ id: orderId })
  history.push(order.status)
  for (const attempt of [1, 2]) {
    const receipt = await cancelSafely(order.id, attempt)
    history.push(receipt)
  }
  return { history }
}

async function cancelSafely(orderNumber: string, attempt: number): Promise<string> {
  const reason = 'attempt ' + attempt
  try {
    const receipt = await cancelOrder({ id: orderNumber, reason })
    return receipt.status + ' by ' + reason
  } catch {
    return 'failed'
  }
}

function findOrderId(message: string): string {
  return /ord_\\d+/.exec(message)?.[0] ?? ''
}
`,
  'src/tools.ts': `
import { tool } from 'goldenrun'

export const getOrder = tool('get_order', { effect: 'read' }, async ({ id }: { id: string }) => ({ id, status: 'packed' }))
export const cancelOrder = tool('cancel_order', { effect: 'write' }, async ({ id, reason }: { id: string; reason: string }) => ({
  id,
  status: 'cancelled ' + reason.length,
}))
`,
}

let project: InspectedProject

beforeAll(async () => {
  project = await createInspectedProject({ support: './dist/agent.mjs#supportAgent' }, files)
  await using bundle = await rolldown({ input: project.resolve('src/agent.ts'), external: ['goldenrun'], cwd: project.path })
  await bundle.write({ file: project.resolve('dist/agent.mjs'), minify: true, sourcemap: true })
  expect((await project.read('dist/agent.mjs')).trim().split('\n').length).toBeLessThan(5)
  await project.record('support', { text: 'Cancel ord_7, please.' })
})

afterAll(() => project[Symbol.asyncDispose]())

it('reads lines and names of the sources from a minified bundle', async () => {
  const run = await project.inspect(['latest'])
  expect(run.outcome).toBe('returned')
  const lineOf = (text: string): Promise<number> => project.lineOf('src/agent.ts', text)
  const asked = stepOf(run, 1)
  expect(places(asked.frames)).toEqual([`supportAgent src/agent.ts:${await lineOf('await getOrder(')}`])
  expect(variable(asked.frames, 'supportAgent', 'orderId')).toBe('ord_7')
  expect(variable(asked.frames, 'supportAgent', 'history')).toEqual([])
  expect(variable(asked.after, 'supportAgent', 'order')).toEqual({ id: 'ord_7', status: 'packed' })
  for (const attempt of [1, 2]) {
    const { frames, after } = stepOf(run, attempt + 1)
    expect(places(frames)).toEqual([
      `cancelSafely src/agent.ts:${await lineOf('await cancelOrder(')}`,
      `supportAgent src/agent.ts:${await lineOf('await cancelSafely(')}`,
    ])
    expect(variable(frames, 'cancelSafely', 'orderNumber')).toBe('ord_7')
    expect(variable(frames, 'cancelSafely', 'reason')).toBe(`attempt ${attempt}`)
    expect(variable(frames, 'supportAgent', 'history')).toEqual(['packed', 'cancelled 9 by attempt 1'].slice(0, attempt))
    expect(variable(after, 'cancelSafely', 'reason')).toBe(`attempt ${attempt}`)
  }
})

it('says that the source map of a bundle is missing', async () => {
  await rm(project.resolve('dist/agent.mjs.map'))
  const [frame] = stepOf(await project.inspect(['latest', '--at', '1']), 1).frames
  expect(frame).toMatchObject({
    file: 'dist/agent.mjs',
    unread: ['The source map agent.mjs.map cannot be read: names and lines are those of the file that runs.'],
  })
})

it('says that a small bundle without a source map is minified', async () => {
  const small = `import{tool as t}from"goldenrun";const l=t("look",{effect:"read"},async({at:e})=>({at:e}));async function d({howMany:i=2}){let t=0;for(let e=0;e<i;e++){const s=\`ord_\${e+1}\`;t+=(await l({at:s})).at.length}return t}export{d as small};\n`
  await using other = await createInspectedProject({ small: './small.mjs#small' }, { 'small.mjs': small })
  await other.record('small', {})
  const [frame] = stepOf(await other.inspect(['latest', '--at', '1']), 1).frames
  expect(frame?.unread).toEqual(['The code is minified and has no source map: names and lines are those of the bundle.'])
})

// Node 22 has no `using`: there, the agent could not be recorded.
it.skipIf(Number(process.versions.node.split('.', 1)[0]) < 24)('shows no helper of the transpiler as the agent', async () => {
  const disposing = `
import { tool } from 'goldenrun'
const look = tool('look', { effect: 'read' }, async ({ at }: { at: string }) => ({ at }))
export async function disposing(): Promise<string> {
  await using held = { name: 'held', async [Symbol.asyncDispose]() { await look({ at: this.name }) } }
  return held.name
}
`
  await using other = await createInspectedProject({ disposing: './disposing.ts#disposing' }, { 'disposing.ts': disposing })
  await other.record('disposing', {})
  const disposed = stepOf(await other.inspect(['latest']), 1)
  const line = await other.lineOf('disposing.ts', 'Symbol.asyncDispose')
  expect(places(disposed.frames)).toEqual([
    `[Symbol.asyncDispose] disposing.ts:${line}`,
    `disposing disposing.ts:${await other.lineOf('disposing.ts', 'return held.name')}`,
  ])
  expect(JSON.stringify(disposed)).not.toMatch(/_usingCtx|minified/)
})
