import { expect, it } from 'vitest'
import { inspect } from '../../../src/travel/inspect/inspect.ts'
import type { InspectOptions } from '../../../src/travel/inspect/inspect.ts'

// Options are looked at before the trace, of which there is none.

it.each([
  [{ limits: { depth: -1 } }, 'inspect: the option "limits.depth" has to be a whole number of 0 or more, got -1.'],
  [{ limits: { items: 1.5 } }, 'inspect: the option "limits.items" has to be a whole number of 0 or more, got 1.5.'],
  [{ limits: { values: Number.NaN } }, 'inspect: the option "limits.values" has to be a whole number of 0 or more, got NaN.'],
  [{ limits: { text: '3' } }, 'inspect: the option "limits.text" has to be a whole number of 0 or more, got "3".'],
  [{ limits: { foo: 1 } }, 'inspect: limits: the option "foo" is not known. It takes: depth, items, text, values.'],
  [{ tools: 'x' }, 'inspect: the option "tools" has to be stub or run, got "x".'],
  [{ at: '5' }, 'inspect: the option "at" has to be a step number, got "5".'],
])('refuses %o', async (options, message) => {
  await expect(inspect('no-such-trace', options as unknown as InspectOptions)).rejects.toMatchObject({ code: 'GOLDENRUN_OPTIONS', message })
})
