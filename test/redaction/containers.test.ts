import { expect, it } from 'vitest'
import { createRuleSet } from '../../src/redaction/rule-set.ts'
import { innocents } from './containers/innocents.ts'
import { containerKinds, countries } from './containers/kinds.ts'
import { send, ways } from './containers/ways.ts'

const ruleSet = createRuleSet({ countries })

/** Kinds that are not found, as `docs/redaction.md` lists them. */
const notFound = new Map<string, readonly string[]>(
  ['settings of Maven', 'password in a plist', 'exported passwords', 'pgpass, with stars', 'cookies.txt'].map((kind) => [
    kind,
    ['as a model says it'],
  ]),
)

/** A secret as a text or JSON has it, and its second half: a prefix may stay. */
function formsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1)].flatMap((form) => [form, form.slice(-Math.max(6, form.length / 2))])
}

it('has two hundred kinds of containers, sixteen ways, and a hundred innocents', () => {
  expect(containerKinds.length).toBeGreaterThanOrEqual(200)
  expect(new Set(containerKinds.map(({ kind }) => kind)).size).toBe(containerKinds.length)
  expect(Object.keys(ways).length).toBeGreaterThanOrEqual(16)
  expect(Object.keys(innocents).length).toBeGreaterThanOrEqual(100)
  for (const { kind, secret, text } of containerKinds)
    expect(
      formsOf(secret).some((form) => text.includes(form)),
      kind,
    ).toBe(true)
})

it.each(Object.keys(ways))('leaves no secret of a container in clear %s', (way) => {
  const left = containerKinds.filter(({ kind, secret, text }) => {
    const read = send(way, text, ruleSet)
    return notFound.get(kind)?.includes(way) !== true && formsOf(secret).some((form) => read.includes(form))
  })
  expect(left.map(({ kind }) => kind)).toEqual([])
})

it.each(Object.keys(ways))('leaves what is no secret as it is %s', (way) => {
  const changed = Object.entries(innocents).filter(([, text]) => send(way, text, ruleSet) !== text)
  expect(changed.map(([what, text]) => `${what}: ${send(way, text, ruleSet)}`)).toEqual([])
})
