import { expect, it } from 'vitest'
import { ContactRefusedError } from '../../../src/boundaries/contact/contact-refused-error.ts'
import { GoldenrunError } from '../../../src/trace/errors/goldenrun-error.ts'

const contact = { door: 'tcp', host: 'db.internal:5432' }
const site = { file: 'src/db.ts', line: 12, column: 3 }

it('says what a replay refused, where, and what to do', () => {
  const error = new ContactRefusedError(contact, 'replay', site)
  expect(error.message).toBe(
    [
      'The replay refused to contact db.internal:5432 (tcp): the trace has no answer for it.',
      '  at  src/db.ts:12:3',
      "If it is part of the run, make it a step, external('name', fn), and record the run again.",
      "If it may stay live, declare it at the call: live('reason', fn)",
    ].join('\n'),
  )
  expect(error).toMatchObject({ name: 'ContactRefusedError', code: 'GOLDENRUN_CONTACT_REFUSED', ...contact, site })
})

it('says what the guard refused, and what to do', () => {
  expect(new ContactRefusedError(contact, 'guard', undefined).message).toBe(
    [
      'The guard refused to contact db.internal:5432 (tcp): code outside of a run may not reach the outside world here.',
      'Connect when the agent first needs it, not when its module loads.',
      "To allow it, declare it in goldenrun.config.ts: live: ['db.internal:5432']",
    ].join('\n'),
  )
})

it('is known by its code', () => {
  const error = new ContactRefusedError(contact, 'replay', site)
  expect([ContactRefusedError.isInstance(error), GoldenrunError.isInstance(error)]).toEqual([true, true])
  expect(ContactRefusedError.isInstance(new GoldenrunError('GOLDENRUN_OTHER', 'other'))).toBe(false)
  expect(ContactRefusedError.isInstance(new Error('other'))).toBe(false)
})
