import http from 'node:http'
import { spawn } from 'node:child_process'
import { buffer } from 'node:stream/consumers'
import { serialize, deserialize } from 'bson'
import protobuf from 'protobufjs'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { expectClean } from '../support/replay-clean.ts'
import { recordRun } from '../support/record-run.ts'
import { formats } from './length-formats.ts'

const mail = 'ada@mail.example'

interface Kind {
  readonly type: string
  readonly write: (text: string) => Buffer
  /** Reads what comes behind the address. */
  readonly read: (bytes: Buffer) => unknown
}

const Customer = protobuf.Root.fromJSON({
  nested: { Customer: { fields: { mail: { type: 'string', id: 1 }, n: { type: 'int32', id: 2 } } } },
}).lookupType('Customer')

/** A length of so many bytes, and a text. */
function framed(text: string, lengthOf: (length: number) => Buffer): Buffer {
  return Buffer.concat([lengthOf(Buffer.byteLength(text)), Buffer.from(text)])
}

/** Reads the last of frames whose head, of so many bytes, ends with their length. */
function lastFrame(bytes: Buffer, head: number): string {
  let last = ''
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32BE(at + head - 4)
    if (at + head + length > bytes.length) throw new Error(`a frame of ${length} bytes at ${at} is cut`)
    last = bytes.subarray(at + head, at + head + length).toString()
    at += head + length
  }
  return last
}

function headOf(head: number, first = 0): (length: number) => Buffer {
  return (length) => {
    const bytes = Buffer.alloc(head)
    bytes[0] = first
    bytes.writeUInt32BE(length, head - 4)
    return bytes
  }
}

function tarEntry(name: string, text: string): Buffer {
  const head = Buffer.alloc(512)
  head.write(name)
  head.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124)
  return Buffer.concat([head, Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)])
}

const zipSignature = 0x04_03_4b_50

/** An entry of a zip that is not compressed. */
function zipEntry(name: string, text: string): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(zipSignature)
  for (const place of [18, 22]) head.writeUInt32LE(text.length, place)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name + text)])
}

const kinds: Readonly<Record<string, Kind>> = {
  'JSON with a content-length': {
    type: 'application/json',
    write: (text) => Buffer.from(JSON.stringify({ mail: text, n: 7 })),
    read: (bytes) => (JSON.parse(bytes.toString()) as { n: number }).n,
  },
  // A map of two: a text of up to 31 bytes, and the number 7.
  msgpack: {
    type: 'application/msgpack',
    write: (text) =>
      Buffer.concat([
        Buffer.from([0x82, 0xa4]),
        Buffer.from('mail'),
        framed(text, (length) => Buffer.from([0xa0 + length])),
        Buffer.from([0xa1, 0x6e, 7]),
      ]),
    read: (bytes) => [bytes[6 + (bytes[6] ?? 0) - 0xa0 + 1], bytes.at(-1)],
  },
  bson: {
    type: 'application/octet-stream',
    write: (text) => Buffer.from(serialize({ mail: text, n: 7 })),
    read: (bytes) => (deserialize(bytes) as { n: number }).n,
  },
  protobuf: {
    type: 'application/x-protobuf',
    write: (text) => Buffer.from(Customer.encode({ mail: text, n: 7 }).finish()),
    read: (bytes) => Customer.toObject(Customer.decode(bytes))['n'] as number,
  },
  'the stream of docker logs': {
    type: 'application/vnd.docker.raw-stream',
    write: (text) => Buffer.concat([framed(`login ${text}\n`, headOf(8, 1)), framed('next\n', headOf(8, 1))]),
    read: (bytes) => lastFrame(bytes, 8),
  },
  'envelopes of Connect': {
    type: 'application/connect+json',
    write: (text) => Buffer.concat([framed(JSON.stringify({ text }), headOf(5)), framed('{"end":true}', headOf(5, 2))]),
    read: (bytes) => lastFrame(bytes, 5),
  },
  tar: {
    type: 'application/x-tar',
    write: (text) => Buffer.concat([tarEntry('users.csv', `id,mail\n1,${text}\n`), tarEntry('b.txt', 'second'), Buffer.alloc(1024)]),
    read: (bytes) => bytes.subarray(1024, 1024 + 5).toString() + bytes.subarray(1536, 1536 + 6).toString(),
  },
  'a stored zip': {
    type: 'application/zip',
    write: (text) => Buffer.concat([zipEntry('a.csv', `1,${text}\n`), zipEntry('b.txt', 'second')]),
    read: (bytes) => {
      const second = 30 + bytes.readUInt16LE(26) + bytes.readUInt32LE(18)
      if (bytes.readUInt32LE(second) !== zipSignature) throw new Error(`no entry at ${second}`)
      return bytes.subarray(second + 30 + bytes.readUInt16LE(second + 26)).toString()
    },
  },
  netstrings: {
    type: 'text/plain',
    write: (text) => Buffer.from(`${text.length}:${text},6:second,`),
    read: (bytes) => {
      const length = Number.parseInt(bytes.toString(), 10)
      return bytes.toString().slice(String(length).length + 1 + length)
    },
  },
}

const lengthFormats = Object.entries(formats)

const server = await listen(async (request, response) => {
  const [, name = '', value = mail] = decodeURIComponent(request.url ?? '').split('/')
  const [, format] = name === 'format' ? (lengthFormats[Number(value)] ?? []) : []
  if (format !== undefined) return void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(format.write(mail))
  const kind = kinds[name]
  const body = kind?.write(value) ?? Buffer.from(JSON.stringify({ password: value, tail: 'end' }))
  response.writeHead(200, { 'content-type': kind?.type ?? 'application/json', 'content-length': body.length }).end(body)
})
afterAll(() => server.close())

async function get(path: string): Promise<{ readonly bytes: Buffer; readonly length: number }> {
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    http.get(`${server.url}/${encodeURIComponent(path).replaceAll('%2F', '/')}`, resolve).on('error', reject)
  })
  return { bytes: await buffer(response), length: Number(response.headers['content-length']) }
}

it.each(Object.entries(kinds))('replays %s with an address inside', async (name, kind) => {
  const agents = [
    async () => {
      const { bytes, length } = await get(name)
      return { rest: kind.read(bytes), isWhole: bytes.length === length, length }
    },
    async () => {
      const response = await fetch(`${server.url}/${encodeURIComponent(name)}`)
      const bytes = Buffer.from(await response.arrayBuffer())
      return { rest: kind.read(bytes), isWhole: bytes.length === Number(response.headers.get('content-length')), length: bytes.length }
    },
  ]
  for (const agent of agents) {
    const { trace, text, output } = await recordRun(agent)
    expect(output).toEqual({ rest: kind.read(kind.write(mail)), isWhole: true, length: kind.write(mail).length })
    expect(text).not.toContain(mail)
    expect(text).not.toContain(Buffer.from(mail).toString('base64').slice(4, 16))
    await expectClean(trace, agent)
  }
})

it.each(lengthFormats.map(([name], index) => [name, index] as const))('replays an address behind %s', async (_name, index) => {
  const format = lengthFormats[index]?.[1]
  const agent = async (): Promise<unknown> => format?.read(Buffer.from(await (await fetch(`${server.url}/format/${index}`)).arrayBuffer()))
  const { trace, text, output } = await recordRun(agent)
  expect(output).toBe('tail')
  expect(text).not.toContain(mail)
  expect(text).not.toContain(Buffer.from(mail).toString('base64').slice(4, 16))
  await expectClean(trace, agent)
})

it('gives the length of the body where a stand-in is longer than its value', async () => {
  const agent = async (): Promise<object> => {
    const { bytes, length } = await get('short/abc12')
    return { tail: (JSON.parse(bytes.toString()) as { tail: string }).tail, isWhole: bytes.length === length }
  }
  const { trace, text } = await recordRun(agent)
  expect(text).toContain('REDACTED00001')
  await expectClean(trace, agent)
})

it('replays a language server that has an address in a message', async () => {
  const message = (fields: object): string => {
    const json = JSON.stringify({ jsonrpc: '2.0', ...fields })
    return `Content-Length: ${json.length}\r\n\r\n${json}`
  }
  const script = `process.stdout.write(${JSON.stringify(message({ method: 'told', params: { mail } }) + message({ method: 'done' }))})`
  const agent = async (): Promise<unknown[]> => {
    const text = (await buffer(spawn(process.execPath, ['-e', script]).stdout)).toString()
    const methods: unknown[] = []
    for (let rest = text; rest !== '';) {
      const [head = '', length = '0'] = /^Content-Length: (\d+)\r\n\r\n/.exec(rest) ?? []
      methods.push((JSON.parse(rest.slice(head.length, head.length + Number(length))) as { method: string }).method)
      rest = rest.slice(head.length + Number(length))
    }
    return methods
  }
  const { trace, output, text } = await recordRun(agent)
  expect(output).toEqual(['told', 'done'])
  expect(text).not.toContain(mail)
  await expectClean(trace, agent)
})
