import { readdir } from 'node:fs/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { redactionOf } from '../../src/redaction/redaction-of.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 255, 254, 13, 10, 13, 10, 0])
const answer = [
  '--b1',
  'Content-Disposition: form-data; name="client_secret"',
  '',
  'answered-hunter2',
  '--b1',
  'content-type: text/plain',
  'content-disposition: form-data; name="api_key"',
  '',
  'open sesame please',
  '--b1--',
  '',
].join('\r\n')
const server = await listen(async (request, response) => {
  for await (const _ of request);
  response.setHeader('content-type', 'multipart/form-data; boundary=b1')
  for (const piece of answer.match(/[\s\S]{1,29}/g) ?? []) response.write(piece)
  response.end()
})
afterAll(() => server.close())

const send = async (isBinary: boolean, orders = '4111111111111111', secret = 'correct horse battery'): Promise<string> => {
  const form = new FormData()
  form.set('password', secret)
  form.set('api_key', 'plain-words-only')
  form.set('order_id', orders)
  form.set('note', 'hello there')
  form.set('empty', '')
  if (isBinary) form.set('password-picture', new Blob([picture]), 'password.png')
  const answered = await fetch(`${server.url}/form`, { method: 'POST', body: form })
  return String((await answered.text()).length)
}

it.each([
  ['text alone', false, 'hello there'],
  ['a file', true, picture.toString('latin1')],
])('takes the fields of a multipart form with %s, and replays the run', async (_, isBinary, whole) => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  await recorder.run({ agent: 'sender', input: undefined }, async () => await send(isBinary))
  await recorder.close()
  const [name = ''] = (await readdir(directory.resolve('runs'))).filter((each) => each !== 'index')
  const trace = await readTrace(directory.resolve('runs', name))
  const steps = trace.steps.map((step) => contentOf(step)).join('\n')
  for (const secret of ['correct horse', 'plain-words-only', 'answered-hunter2', 'open sesame']) expect(steps).not.toContain(secret)
  for (const kept of ['hello there', '4111111111111111', 'name="password"', whole]) expect(steps).toContain(kept)
  expect((await replay(trace, async () => await send(isBinary))).divergences).toEqual([])
  expect((await replay(trace, async () => await send(isBinary, '4111111111111112'))).divergences).toHaveLength(1)
})

it('leaves a form that can be parsed, with as many parts', async () => {
  const response = new Response(redactForm(answer), { headers: { 'content-type': 'multipart/form-data; boundary=b1' } })
  const fields = Array.from(await response.formData(), ([name, value]) => ({ name, value: JSON.stringify(value) }))
  expect(fields.map(({ name }) => name)).toEqual(['client_secret', 'api_key'])
  expect(JSON.stringify(fields)).not.toMatch(/hunter2|sesame/)
})

it('knows a field without quotation marks, and line breaks without returns', () => {
  const form = '--b\nContent-Disposition: form-data; name=password\n\nopen sesame\n--b--\n'
  expect(createRedactor().text(form)).toBe(form.replace('open sesame', 'with helaab'))
})

it('takes a whole value with lines that begin as a boundary does', () => {
  const form = '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nopen\r\n--sesame\r\n--b--\r\n'
  expect(createRedactor().text(form)).toBe(form.replace('open\r\n--sesame', 'with\r\n--helaab'))
})

function redactForm(text: string): string {
  const redaction = redactionOf(createRedactor(), 'multipart/form-data; boundary=b1')
  let redacted = ''
  for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) redaction.add(piece, (each) => (redacted += each))
  redaction.end()
  return redacted
}

/** All that a step holds, bytes as characters. */
function contentOf(step: unknown): string {
  const texts: string[] = []
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value, Buffer.from(value, 'base64').toString('latin1'))
    else if (value instanceof Uint8Array) texts.push(Buffer.from(value).toString('latin1'))
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) walk(each)
  }
  walk(step)
  return texts.join('\n')
}
