import protobuf from 'protobufjs'
import { expect, it } from 'vitest'
import { readMessage } from '../../../src/boundaries/grpc/read-message.ts'
import { writeMessage } from '../../../src/boundaries/grpc/write-message.ts'

const { Sample } = protobuf.Root.fromJSON({
  nested: {
    Sample: {
      fields: {
        text: { type: 'string', id: 1 },
        number: { type: 'int64', id: 2 },
        inner: { type: 'Sample', id: 3 },
        texts: { rule: 'repeated', type: 'string', id: 4 },
        double: { type: 'double', id: 5 },
        float: { type: 'float', id: 6 },
        bytes: { type: 'bytes', id: 7 },
        fixed: { type: 'fixed64', id: 8 },
        packed: { rule: 'repeated', type: 'int32', id: 9 },
        isSet: { type: 'bool', id: 10 },
        far: { type: 'string', id: 536_870_911 },
      },
    },
  },
}).nested as unknown as { readonly Sample: protobuf.Type }

const samples: readonly (readonly [object, unknown])[] = [
  [{}, {}],
  [{ text: 'ord_1' }, { 1: 'ord_1' }],
  [{ text: 'grün\n two lines' }, { 1: 'grün\n two lines' }],
  [{ text: '\n' }, { 1: '\n' }],
  [{ number: 7 }, { 2: 7 }],
  [{ number: -1 }, { 2: { $varint: '18446744073709551615' } }],
  [{ inner: { text: 'a text of more than thirty-two characters' } }, { 3: { 1: 'a text of more than thirty-two characters' } }],
  [{ inner: { inner: { number: 3 } } }, { 3: { 3: { 2: 3 } } }],
  [{ texts: ['a'] }, { 4: 'a' }],
  [{ texts: ['a', '', 'c'] }, { 4: ['a', '', 'c'] }],
  [
    { double: 4.25, float: 0.5 },
    { 5: { $fixed64: 4.25 }, 6: { $fixed32: 0.5 } },
  ],
  [{ double: -0 }, { 5: { $fixed64: '0000000000000080' } }],
  [{ double: Number.NaN }, { 5: { $fixed64: '000000000000f87f' } }],
  [{ bytes: Buffer.from([0, 255, 128]) }, { 7: { $bytes: '\u0000\u00ff\u0080' } }],
  [{ fixed: 5 }, { 8: { $fixed64: '0500000000000000' } }],
  [{ packed: [1, 300] }, { 9: { $bytes: '\u0001\u00ac\u0002' } }],
  [
    { isSet: true, far: 'x' },
    { 10: 1, 536870911: 'x' },
  ],
]

it.each(samples)('reads %j by its numbers, and writes the same bytes', (value, read) => {
  const bytes = Sample.encode(Sample.fromObject(value)).finish()
  const message = readMessage(bytes)
  expect(message).toEqual(read)
  expect(Buffer.from(writeMessage(JSON.parse(JSON.stringify(message))))).toEqual(Buffer.from(bytes))
})

it('writes a changed text as a message that can be read', () => {
  const bytes = Sample.encode(Sample.fromObject({ inner: { text: 'secret' }, number: 1 })).finish()
  const changed = JSON.parse(JSON.stringify(readMessage(bytes)).replace('secret', 'something longer')) as unknown
  expect(Sample.toObject(Sample.decode(writeMessage(changed)))).toMatchObject({ inner: { text: 'something longer' } })
})

const others: readonly (readonly [form: string, bytes: Buffer, read: unknown])[] = [
  ['JSON', Buffer.from('{"a":[1]}'), { $json: { a: [1] } }],
  ['a text', Buffer.from('plain words'), { $text: 'plain words' }],
  ['bytes', Buffer.from([255, 254, 7]), { $bytes: '\u00ff\u00fe\u0007' }],
  [
    'fields that are not in order',
    Buffer.from([16, 1, 8, 2]),
    {
      $fields: [
        [2, 1],
        [1, 2],
      ],
    },
  ],
  [
    'a field that comes again later',
    Buffer.from([8, 1, 16, 1, 8, 2]),
    {
      $fields: [
        [1, 1],
        [2, 1],
        [1, 2],
      ],
    },
  ],
  ['a number that is longer than it had to be', Buffer.from([8, 129, 0]), { $bytes: '\u0008\u0081\u0000' }],
  ['a group', Buffer.from([11, 8, 1, 12]), { $text: '\u000b\u0008\u0001\u000c' }],
  ['a field without a number', Buffer.from([0, 1]), { $text: '\u0000\u0001' }],
  ['a message that is cut', Buffer.from([10, 200, 65]), { $bytes: '\n\u00c8A' }],
]

it.each(others)('keeps %s', (_form, bytes, read) => {
  const message = readMessage(bytes)
  expect(message).toEqual(read)
  expect(Buffer.from(writeMessage(message))).toEqual(bytes)
})

it('keeps any bytes', () => {
  let seed = 7
  const random = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
  for (let time = 0; time < 20_000; time += 1) {
    const bytes = Buffer.from(
      Array.from({ length: Math.floor(random() * 12) }, () => Math.floor(random() * 256) % (random() < 0.7 ? 40 : 256)),
    )
    const message = JSON.parse(JSON.stringify(readMessage(bytes))) as unknown
    expect(Buffer.from(writeMessage(message)), bytes.toString('hex')).toEqual(bytes)
  }
})
