import { expect, it } from 'vitest'
import { otherRuntime } from '../../src/run/other-runtime.ts'

const versions = (given: Partial<NodeJS.ProcessVersions>): NodeJS.ProcessVersions => ({ ...process.versions, ...given })

it.each(['18.20.8', '20.19.5', '22.14.0'])('cannot record on Node %s', (node) => {
  expect(otherRuntime(versions({ node }))).toBe(`Node ${node}`)
})

it.each(['22.15.0', '22.21.1', '24.0.0', '26.1.0', process.versions.node])('records on Node %s', (node) => {
  expect(otherRuntime(versions({ node }))).toBeUndefined()
})

it('cannot record on what only says that it is a newer Node', () => {
  expect(otherRuntime(versions({ bun: '1.4.5', node: '24.3.0' }))).toBe('Bun 1.4.5')
  expect(otherRuntime(versions({ deno: '2.9.6', node: '24.2.0' }))).toBe('Deno 2.9.6')
})
