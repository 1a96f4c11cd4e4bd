import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { replay } from '../../src/replay/replay.ts'
import { recordRun } from '../support/record-run.ts'
import { buildRun } from './build-run.ts'
import { failureOf } from './failure-of.ts'

const server = await listen(async (incoming, response) => {
  await readBody(incoming)
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"sent":true}')
})
const host = server.url.replace('http://', '')

async function agent(): Promise<object> {
  const headers = { 'content-type': 'application/json' }
  const mail = { to: 'desk', subject: 'Refund of ord_1', lines: [{ amount: 4200 }] }
  await fetch(`${server.url}/v1/mails?copy=audit`, { method: 'POST', headers, body: JSON.stringify(mail) })
  await fetch(`${server.url}/v1/notes`, { method: 'POST', body: new URLSearchParams({ note: 'to mallory' }) })
  return { reply: 'We have refunded ord_1.', lines: ['4200'] }
}
const { trace } = await recordRun(agent)
await server.close()
const run = await replay(trace, agent)

it('finds a request by its method, host and path, and by what was sent', () => {
  expect(run).toHaveSentRequest(`POST ${host}/v1/mails`)
  expect(run).toHaveSentRequest(`POST ${host}/**`, { to: 'desk' })
  expect(run).toHaveSentRequest(`POST ${host}/v1/*`, { lines: [{ amount: 4200 }] })
  expect(run).toHaveSentRequest(`POST ${host}/v1/mails`, 'ord_1')
  expect(run).toHaveSentRequest(`POST ${host}/v1/mails`, 'copy=audit')
  expect(run).toHaveSentRequest(`POST ${host}/v1/notes`, 'mallory')
  expect(run).not.toHaveSentRequest(`POST ${host}/v1/mails`, 'mallory')
  expect(run).not.toHaveSentRequest(`POST ${host}/v1/mails`, { to: 'mallory' })
  expect(run).not.toHaveSentRequest(`DELETE ${host}/v1/mails`)
})

it('tells what was sent instead, and which step sent what should not be sent', () => {
  const instead = failureOf(() => expect(run).toHaveSentRequest(`POST ${host}/v1/mails`, { to: 'mallory' }))
  expect(instead).toContain(
    `Expected "${trace.header.id}" to send POST ${host}/v1/mails with {"to":"mallory"}. It sent with other bodies:\n`,
  )
  // The address ends with a port of four or five digits, so where the line is cut differs.
  expect(instead).toContain(`    1  POST ${server.url}/v1/mails?copy=audit {"to":"desk","subject":"Refund of ord_1",`)
  expect(failureOf(() => expect(run).toHaveSentRequest(`DELETE ${host}/**`))).toContain('It sent no such request.')
  expect(failureOf(() => expect(run).not.toHaveSentRequest(`POST ${host}/v1/notes`))).toContain('not to send POST')
  expect(failureOf(() => expect(run).not.toHaveSentRequest(`POST ${host}/v1/notes`))).toContain('but step 2 did: POST http://')
})

it.each([['mails'], ['post mail.example/v1'], ['POST https://mail.example/v1'], [7]])('refuses %j as a request', (request) => {
  expect(() => expect(run).toHaveSentRequest(request as string)).toThrow(
    'has to be a method, a host and a path, such as POST mail.example/v1/*',
  )
})

it('finds a text in what the run returned or threw', () => {
  expect(run).toHaveOutcomeContaining('refunded')
  expect(run).toHaveOutcomeContaining('4200')
  expect(run).not.toHaveOutcomeContaining('reply')
  const failed = buildRun({ outcome: { status: 'threw', error: new RangeError('no such order') } })
  expect(failed).toHaveOutcomeContaining('such order')
  expect(failureOf(() => expect(run).toHaveOutcomeContaining('cancelled'))).toBe(
    `Expected what "${trace.header.id}" returned to contain "cancelled". It returned {"reply":"We have refunded ord_1.","lines":["4200"]}.`,
  )
  expect(failureOf(() => expect(failed).not.toHaveOutcomeContaining('such'))).toContain('threw not to contain "such". It threw ')
  expect(() => expect(run).toHaveOutcomeContaining('')).toThrow('has to be a text')
})
