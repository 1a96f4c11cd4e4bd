import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InspectedRun } from '../../../src/travel/inspect/inspected-run.ts'
import { createInspectedProject, type InspectedProject, places, stepOf, variable } from './inspected-project.ts'

// Agents at which a debugger shows what is not so: an earlier turn's variables, a later call's state, functions that have returned.

const agent = `
import { external, tool } from 'goldenrun'

const look = tool('look', { effect: 'read' }, async ({ at }: { at: string }) => ({ at: at + '!' }))
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const fail = external('fail', async (_about: string) => { throw new Error('it failed') })
const callLook = (at: string) => look({ at })

export async function turns(): Promise<string[]> {
  const seen: string[] = []
  for (let turn = 1; turn <= 3; turn += 1) {
    const found = await look({ at: 'turn ' + turn })
    const body = found.at
    let verdict = body.length
    const { at: [first = ''], ...others } = found
    seen.push(body + verdict + first + Object.keys(others).length)
  }
  return seen
}

export async function wrapped(): Promise<string[]> {
  const messages: string[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    const { at } = await callLook('message ' + turn)
    messages.push(at)
    const results = await Promise.all([1, 2].map(async (part) => {
      const asked = 'part ' + part
      const { at: answer } = await look({ at: asked })
      return answer
    }))
    messages.push(...results)
  }
  return messages
}

export async function pending(): Promise<string> {
  const started = look({ at: 'early' })
  const before = 'not yet'
  await sleep(5)
  const between = before + ' either'
  const { at } = await started
  return at + between
}

const attempt = async (count: number) => fail('try ' + count)

export async function retries(): Promise<number> {
  let count = 0
  while (count < 3) {
    count += 1
    try {
      await attempt(count)
    } catch {
      count += 0
    }
  }
  return count
}

async function descend(level: number): Promise<string> {
  if (level === 0) return look({ at: 'bottom' })
    .then(({ at }) => at)
  const below = await descend(level - 1)
  const here = below + level
  return here
}

export async function recursion(): Promise<string> {
  return await descend(2)
}

async function early(): Promise<number> {
  const spent = 1
  await look({ at: 'soon' })
  return spent
}

async function asks(): Promise<string> {
  const result = await new Promise<string>((resolve) => setTimeout(async () => {
    const inTimer = 'tick'
    const { at } = await look({ at: inTimer })
    resolve(at)
  }, 50))
  return result
}

export async function waits(): Promise<string> {
  const first = await early()
  const second = await asks()
  const third = await helper('third')
  return first + second + third
}

async function helper(name: string): Promise<string> {
  await look({ at: 'one' })
  const { at } = await look({ at: name })
  return at
}
`

const names = ['turns', 'wrapped', 'pending', 'retries', 'recursion', 'waits']
let project: InspectedProject

beforeAll(async () => {
  project = await createInspectedProject(Object.fromEntries(names.map((name) => [name, `./agent.ts#${name}`])), { 'agent.ts': agent })
})

afterAll(() => project[Symbol.asyncDispose]())

async function inspect(name: string): Promise<InspectedRun> {
  await project.record(name, {})
  return await project.inspect(['latest'])
}

it('shows no variable of an earlier turn of a loop whose declaration has not run in this one', async () => {
  const run = await inspect('turns')
  for (const turn of [1, 2, 3]) {
    const { frames, after } = stepOf(run, turn)
    expect(variable(frames, 'turns', 'turn')).toBe(turn)
    const declared = ['found', 'body', 'verdict', 'first', 'others']
    expect(declared.map((name) => variable(frames, 'turns', name))).toEqual(declared.map(() => undefined))
    expect(variable(after, 'turns', 'found')).toEqual({ at: `turn ${turn}!` })
    expect(variable(after, 'turns', 'body')).toBeUndefined()
  }
})

it('does not take the next call of a function that returns its promise for what comes after the one before', async () => {
  const run = await inspect('wrapped')
  for (const [index, turn] of [1, 4, 7].entries()) {
    const { frames, after } = stepOf(run, turn)
    expect(variable(frames, 'callLook', 'at')).toBe(`message ${index}`)
    expect(variable(frames, 'wrapped', 'turn')).toBe(index)
    expect(variable(frames, 'wrapped', 'results')).toBeUndefined()
    expect(after).toBeUndefined()
  }
  // Those that await their own call continue after it.
  expect([2, 3].map((number) => variable(stepOf(run, number).after, '', 'answer'))).toEqual(['part 1!', 'part 2!'])
})

it('does not take the end of another wait for the answer of a call', async () => {
  const run = await inspect('pending')
  expect(stepOf(run, 1).after).toBeUndefined()
  expect(variable(stepOf(run, 1).frames, 'pending', 'before')).toBeUndefined()
})

it('does not take a further attempt for what comes after a failed one', async () => {
  const run = await inspect('retries')
  for (const count of [1, 2, 3]) {
    const { frames } = stepOf(run, count)
    expect(variable(frames, 'attempt', 'count')).toBe(count)
    expect(stepOf(run, count).after).toBeUndefined()
  }
})

it('does not take a caller of the same function for the function that made the call', async () => {
  const run = await inspect('recursion')
  expect(variable(stepOf(run, 1).frames, 'descend', 'level')).toBe(0)
  expect(stepOf(run, 1).after).toBeUndefined()
})

it('lists only functions that still wait, and gives no function an invented name', async () => {
  const run = await inspect('waits')
  const line = (text: string): Promise<number> => project.lineOf('agent.ts', text)
  const [first, timer, , third] = [1, 2, 3, 4].map((number) => stepOf(run, number))
  expect(places(first?.frames)).toEqual([
    `early agent.ts:${await line("await look({ at: 'soon' })")}`,
    `waits agent.ts:${await line('await early()')}`,
  ])
  // A timer's function: nothing says who waits for what it does. `early` has returned.
  expect(places(timer?.frames)).toEqual([` agent.ts:${await line('look({ at: inTimer })')}`])
  expect(timer?.waiting).toEqual([])
  // `helper` has awaited before: `waits` is not on the stack any more.
  expect(places(third?.frames)).toEqual([`helper agent.ts:${await line('await look({ at: name })')}`])
  expect(places(third?.waiting)).toEqual([`waits agent.ts:${await line("await helper('third')")}`])
})
