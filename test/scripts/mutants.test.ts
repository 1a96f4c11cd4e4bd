import { stripTypeScriptTypes } from 'node:module'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findPlaces } from '../../scripts/mutants/places.ts'
import { REACHED, writeMutants } from '../../scripts/mutants/write-mutants.ts'

const source = `#!/usr/bin/env node
type Level = 1 | -2
interface Options { readonly least: 3; readonly isDeep: true }
const least: Level = 1
const log: string[] = []
const note = (text: string): void => {
  log.push(text)
  text.length > 3 && log.push('long')
}
export function judge(values: readonly number[], name?: string): unknown {
  if (name !== undefined) note(name)
  const shown = (name ?? 'none') + '!'
  const sum = values.filter((value) => value >= least).reduce((total, value) => total + value, 0)
  let turns = 0
  while (turns < sum && turns <= 4) turns += 1
  const hasTwo = values?.some((value) => value === 2)
  return { log: log.splice(0), shown, sum, turns, hasTwo, isAny: values.length === 0 || name === undefined ? false : true, 7: (-least as Level) }
}
`

const places = findPlaces(source, 'source.ts').map((place, index) => ({ ...place, number: index + 1 }))
const inputs: readonly [readonly number[], string?][] = [[[]], [[], 'a'], [[2], 'abc'], [[1, 2, 3], 'abcd'], [[-4, 0, 9]]]

type Judge = (...input: readonly [readonly number[], string?]) => unknown

let loaded = 0

/** What the written module gives for each input with these mutants active, each time loaded anew. */
async function judgeAll(code: string, active = ''): Promise<unknown[]> {
  loaded += 1
  vi.stubEnv('GOLDENRUN_MUTANTS', active)
  const program = stripTypeScriptTypes(code.replace(/^#!.*\n/, ''))
  const { judge } = (await import(`data:text/javascript,${encodeURIComponent(`${program}// ${loaded}`)}`)) as { judge: Judge }
  return inputs.map((input) => judge(...input))
}

const mutated = writeMutants(source, places)

describe('mutants of a source', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('are at operators, conditions, values, calls and returned values, and at no types, imports, keys or texts', () => {
    expect(places.map(({ start, end, change }) => `${change}: ${source.slice(start, end)}`).toSorted()).toMatchInlineSnapshot(`
      [
        "!== to ===: name !== undefined",
        "&& to ||: text.length > 3 && log.push('long')",
        "&& to ||: turns < sum && turns <= 4",
        "+ to -: total + value",
        "0 to 1: 0",
        "0 to 1: 0",
        "0 to 1: 0",
        "0 to 1: 0",
        "1 to 2: 1",
        "1 to 2: 1",
        "2 to 3: 2",
        "3 to 4: 3",
        "4 to 5: 4",
        "< to <=: turns < sum",
        "<= to <: turns <= 4",
        "=== to !==: name === undefined",
        "=== to !==: value === 2",
        "=== to !==: values.length === 0",
        "> to >=: text.length > 3",
        ">= to >: value >= least",
        "?? without its right side: name ?? 'none'",
        "call removed: log.push(text)",
        "call removed: note(name)",
        "condition negated: values.length === 0 || name === undefined",
        "false to true: false",
        "filter lets all through: (value) => value >= least",
        "loop never entered: turns < sum && turns <= 4",
        "returns undefined: { log: log.splice(0), shown, sum, turns, hasTwo, isAny: values.length === 0 || name === undefined ? false : true, 7: (-least as Level) }",
        "some to every: ?.some",
        "true to false: true",
        "|| to &&: values.length === 0 || name === undefined",
      ]
    `)
  })

  it('change nothing while none is active', async () => {
    expect(await judgeAll(mutated)).toEqual(await judgeAll(source))
  })

  it('each change what the module does, or make it fail', async () => {
    const before = JSON.stringify(await judgeAll(source))
    const alike: string[] = []
    for (const { number, change, start, end } of places) {
      const after = await judgeAll(mutated, String(number)).catch((error: unknown) => error)
      if (JSON.stringify(after) === before) alike.push(`${change}: ${source.slice(start, end)}`)
    }
    expect(alike).toEqual([])
  })

  it('tell when their place is reached', async () => {
    const reached = new Set<string>()
    Object.defineProperty(globalThis, Symbol.for(REACHED), { value: reached, configurable: true })
    try {
      await judgeAll(mutated)
    } finally {
      Reflect.deleteProperty(globalThis, Symbol.for(REACHED))
    }
    expect(reached).toEqual(new Set(places.map(({ number }) => String(number))))
  })

  it('are lines as they were above the first, a hashbang among them', () => {
    const [first, second = '', third] = writeMutants(source, places.slice(-1)).split('\n')
    expect([first, second.endsWith(' type Level = 1 | -2'), third]).toEqual([
      '#!/usr/bin/env node',
      true,
      'interface Options { readonly least: 3; readonly isDeep: true }',
    ])
  })
})
