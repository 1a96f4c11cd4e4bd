import { expect, it } from 'vitest'
import { compareInputs } from '../../src/divergence/compare-inputs.ts'
import { readParts } from '../../src/divergence/multipart.ts'
import { bodyFromBytes } from '../../src/trace/body.ts'
import type { HttpInput } from '../../src/trace/rows.ts'
import { toRecorded } from '../../src/trace/values.ts'

/** An upload as fetch sends it, and as a trace keeps it. */
async function upload(fields: Readonly<Record<string, string | File>>): Promise<unknown> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const response = new Response(form)
  const input: HttpInput = {
    method: 'POST',
    url: 'https://a.example.com/files',
    headers: [['content-type', response.headers.get('content-type') ?? '']],
    ...bodyFromBytes(new Uint8Array(await response.arrayBuffer())),
  }
  return toRecorded(input)
}

const image = (last: number): File => new File([new Uint8Array([255, 0, 13, 10, 45, 45, last])], 'bild ä.png', { type: 'image/png' })

it('finds nothing between two uploads of the same, whatever their boundaries', async () => {
  for (const file of [image(1), new File(['text'], 'a.txt', { type: 'text/plain' })]) {
    const [one, other] = [await upload({ purpose: 'vision', file }), await upload({ purpose: 'vision', file })]
    expect(one).not.toEqual(other)
    expect(compareInputs('http', 'a.example.com', one, other)).toEqual([])
  }
})

it('names the part that differs, beside a file too', async () => {
  const differences = compareInputs(
    'http',
    'a.example.com',
    await upload({ purpose: 'vision', file: image(1) }),
    await upload({ purpose: 'assistants', file: image(2) }),
  )
  const bytes = (last: number): object => ({ $: { bytes: btoa(String.fromCharCode(255, 0, 13, 10, 45, 45, last)) } })
  expect(differences).toEqual([
    { path: 'body[0].content', part: 'body', expected: 'vision', received: 'assistants' },
    { path: 'body[1].content', part: 'body', expected: bytes(1), received: bytes(2) },
  ])
})

it('reads name, file name, type and content of each part', async () => {
  const { text = '', headers } = (await upload({ 'a b': 'x\r\n--y', file: new File(['{}'], 'ä.json', { type: 'application/json' }) })) as {
    text?: string
    headers: [[string, string]]
  }
  expect(readParts(text, headers[0][1].replace('multipart/form-data; boundary=', ''))).toEqual([
    { name: 'a b', content: 'x\r\n--y' },
    { name: 'file', filename: 'ä.json', type: 'application/json', content: '{}' },
  ])
})

it('reads parts that have no headers, and those that only name their file in an extended way', () => {
  expect(
    readParts("preamble\r\n--b\r\n\r\nplain\r\n--b  \r\nContent-Disposition: attachment; filename*=UTF-8''a.txt\r\n\r\n\r\n--b--\r\n", 'b'),
  ).toEqual([{ content: 'plain' }, { filename: "UTF-8''a.txt", content: '' }])
})

it('compares a body that is not built as its type says as it came', () => {
  expect(readParts('--xyz\r\nno end', 'xyz')).toBe('--boundary\r\nno end')
  expect(readParts('--xyz\r\nno empty line\r\n--xyz--', 'xyz')).toBe('--boundary\r\nno empty line\r\n--boundary--')
  expect(readParts(undefined, 'xyz')).toBe(undefined)
})
