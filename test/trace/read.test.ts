import { expect, it } from 'vitest'

import { TraceVersionError } from '../../src/trace/errors/trace-version-error.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Row } from '../../src/trace/rows.ts'
import { digest, encodeRows, goldenHeader, header, thrownBy, toFile, toolCall } from './samples.ts'

const FILE = 'golden-traces/x.jsonl'
const GOLDEN_ADVICE = 'The file was edited by hand or damaged: restore it from version control, or promote the run again.'
const RECORDING_ADVICE = 'The file was edited by hand or damaged: restore it from a backup, or record the run again.'

const read = (text: string): ReturnType<typeof decodeTrace> => decodeTrace(text, FILE, digest)
const [HEADER = ''] = encodeRows([goldenHeader])
const CALL = '{"kind":"call","step":1,"owner":0,"boundary":"tool","name":"get_order","input":{},"at":1}'
const RETURN = '{"kind":"return","step":1,"at":2}'
const GET =
  '{"kind":"call","step":1,"owner":0,"boundary":"http","name":"a.test","input":{"method":"GET","url":"https://a.test/","headers":[]},"at":1}'
const head = (fields: string): string => `{"kind":"head","step":1,"at":1,${fields}}`
const answer = (output: string): string => `{"kind":"return","step":1,"at":2,"output":${output}}`
const TEXT = '{"kind":"text","ref":"t1","value":"a text"}'
const END = '{"kind":"end","at":9,"usage":{"inputTokens":0,"outputTokens":0}}'

/** Lines after a golden's header, the faulty one last; its message without file and advice, and the field it names. */
const faults: readonly [name: string, lines: readonly string[], problem: string, field?: string][] = [
  ['a line that is no JSON', ['{"kind":"call",'], 'the line is not valid JSON'],
  ['a row that is no object', ['[1,2]'], 'a row has to be an object, got [1,2]'],
  ['a row that is null', ['null'], 'a row has to be an object, got null'],
  [
    'a row without a kind',
    ['{"step":1}'],
    'the row has no "kind": it has to be one of run, text, call, head, chunk, return, throw, timer, reads, signal, preamble, stand-in, checkpoint, note, end, closed',
    'kind',
  ],
  [
    'a kind that does not exist',
    ['{"kind":"cal"}'],
    'there is no row of kind "cal": it has to be one of run, text, call, head, chunk, return, throw, timer, reads, signal, preamble, stand-in, checkpoint, note, end, closed',
    'kind',
  ],
  [
    'a kind of the prototype',
    ['{"kind":"__proto__"}'],
    'there is no row of kind "__proto__": it has to be one of run, text, call, head, chunk, return, throw, timer, reads, signal, preamble, stand-in, checkpoint, note, end, closed',
    'kind',
  ],
  ['a number that is text', [CALL.replace('"at":1', '"at":"soon"')], '"at" of a call row has to be a number, got "soon"', 'at'],
  ['a number that is missing', [CALL.replace(',"at":1', '')], '"at" of a call row is missing: it has to be a number', 'at'],
  ['text that is missing', [CALL.replace('"name":"get_order",', '')], '"name" of a call row is missing: it has to be text', 'name'],
  ['a value that is missing', [CALL.replace('"input":{},', '')], '"input" of a call row is missing: it has to be a value', 'input'],
  ['a step of half', [CALL.replace('"step":1', '"step":1.5')], '"step" of a call row has to be a whole number, got 1.5', 'step'],
  ['a step of zero', [CALL.replace('"step":1', '"step":0')], '"step" of a call row has to be at least 1, got 0', 'step'],
  [
    'an unknown boundary',
    [CALL.replace('"tool"', '"tools"')],
    '"boundary" of a call row has to be one of "model", "http", "tool", "external", got "tools"',
    'boundary',
  ],
  ['a field that does not exist', [CALL.replace('"at"', '"ad":1,"at"')], 'a call row has no field "ad"', 'ad'],
  ['a __proto__ field', [CALL.replace('"at"', '"__proto__":{"a":1},"at"')], 'a call row has no field "__proto__"', '__proto__'],
  ['a usage that is no object', ['{"kind":"end","at":1,"usage":3}'], '"usage" of an end row has to be an object, got 3', 'usage'],
  [
    'a count deep in a row',
    ['{"kind":"end","at":1,"usage":{"inputTokens":-1,"outputTokens":0}}'],
    '"usage.inputTokens" of an end row has to be at least 0, got -1',
    'usage.inputTokens',
  ],
  [
    'an end with both',
    ['{"kind":"end","output":1,"error":{"name":"E","message":""},"at":1,"usage":{"inputTokens":0,"outputTokens":0}}'],
    'an end row cannot have both "output" and "error"',
  ],
  [
    'an error in an error',
    [CALL, '{"kind":"throw","step":1,"at":2,"error":{"name":"E","message":"","cause":{"name":"E"}}}'],
    '"error.cause.message" of a throw row is missing: it has to be text',
    'error.cause.message',
  ],
  [
    'an error with an odd code',
    [CALL, '{"kind":"throw","step":1,"at":2,"error":{"name":"E","message":"","code":[]}}'],
    '"error.code" of a throw row has to be text or a number, got []',
    'error.code',
  ],
  [
    'headers that are no pairs',
    [CALL, '{"kind":"head","step":1,"at":1,"status":200,"headers":[["a","b"],["c",1]]}'],
    '"headers[1][1]" of a head row has to be text, got 1',
    'headers[1][1]',
  ],
  [
    'headers that are an object',
    [CALL, '{"kind":"head","step":1,"at":1,"status":200,"headers":{"a":"b"}}'],
    '"headers" of a head row has to be pairs of name and value, got {"a":"b"}',
    'headers',
  ],
  [
    'headers in a text that holds none',
    [CALL, TEXT, '{"kind":"head","step":1,"at":1,"status":200,"headers":{"$":"t1"}}'],
    '"headers" of a head row refers to t1, which does not hold pairs of name and value',
    'headers',
  ],
  ['a status of zero', [GET, head('"status":0,"headers":[]')], '"status" of a head row has to be at least 100, got 0', 'status'],
  [
    'a status of four digits',
    [GET, head('"status":1000,"headers":[]')],
    '"status" of a head row has to be at most 999, got 1000',
    'status',
  ],
  [
    'a name of a header with a line break',
    [GET, head('"status":200,"headers":[["a\\n","b"]]')],
    '"headers[0][0]" of a head row has to be the name of a header, got "a\\n"',
    'headers[0][0]',
  ],
  [
    'a value of a header with a line break',
    [GET, head('"status":200,"headers":[["a","b\\r\\nset-cookie: c=1"]]')],
    '"headers[0][1]" of a head row has to be the value of a header, got "b\\r\\nset-cookie: c=1"',
    'headers[0][1]',
  ],
  [
    'a value of a header that is not Latin-1',
    [GET, head('"status":200,"headers":[["a","日本"]]')],
    '"headers[0][1]" of a head row has to be the value of a header, got "日本"',
    'headers[0][1]',
  ],
  [
    'headers in a text of which one has a line break',
    ['{"kind":"text","ref":"t1","value":[["a","b\\n"]]}', GET, head('"status":200,"headers":{"$":"t1"}')],
    '"headers[0][1]" of a head row has to be the value of a header, got "b\\n"',
    'headers[0][1]',
  ],
  [
    'a reason phrase with a line break',
    [GET, head('"status":200,"statusText":"O\\nK","headers":[]')],
    '"statusText" of a head row has to be a reason phrase, got "O\\nK"',
    'statusText',
  ],
  [
    'a final URL that is none',
    [GET, head('"status":200,"url":"there","headers":[]')],
    '"url" of a head row has to be a URL, got "there"',
    'url',
  ],
  ['a request that is null', [GET.replace(/\{"method.*\]\}/, 'null')], '"input" of a call row has to be an object, got null', 'input'],
  ['a URL that is none', [GET.replace('https://a.test/', 'nope')], '"input.url" of a call row has to be a URL, got "nope"', 'input.url'],
  ['a method that is an object', [GET.replace('"GET"', '{}')], '"input.method" of a call row has to be text, got {}', 'input.method'],
  [
    'a method of two words',
    [GET.replace('GET', 'GET /')],
    '"input.method" of a call row has to be a method of HTTP, got "GET /"',
    'input.method',
  ],
  [
    'a request without headers',
    [GET.replace(',"headers":[]', '')],
    '"input.headers" of a call row is missing: it has to be an array',
    'input.headers',
  ],
  [
    'bytes of a body that are none',
    [GET, answer('{"status":200,"headers":[],"bytes":{"$":{"date":"2026-01-01T00:00:00.000Z"}}}')],
    '"output.bytes" of a return row has to be bytes, got {"$":{"date":"2026-01-01T00:00:00.000Z"}}',
    'output.bytes',
  ],
  [
    'a body of JSON that is none',
    [GET, answer('{"status":200,"headers":[],"json":{"a":[{"$":{"bigint":"1"}}]}}')],
    '"output.json.a[0]" has to be JSON, got {"$":{"bigint":"1"}}',
    'output.json.a[0]',
  ],
  [
    'a response with a field that it cannot have',
    [GET, answer('{"status":200,"headers":[],"xml":"<a/>"}')],
    'a return row has no field "output.xml"',
    'output.xml',
  ],
  [
    'a status of zero at the end of a call',
    [GET, answer('{"status":0,"headers":[]}')],
    '"output.status" of a return row has to be at least 100, got 0',
    'output.status',
  ],
  [
    'an exit that is a number',
    [CALL, '{"kind":"chunk","step":1,"at":1,"stream":"exit","text":"0"}'],
    '"text" of a chunk row has to be an object, got 0',
    'text',
  ],
  [
    'a message that is no JSON',
    [CALL, '{"kind":"chunk","step":1,"at":1,"stream":"message","text":"{"}'],
    '"text" of a chunk row of the stream "message" has to be JSON',
    'text',
  ],
  [
    'a preamble that is no session',
    ['{"kind":"preamble","value":{"open":{"name":"node"},"server":"shop","answers":[{"params":{}}]},"at":1}'],
    '"value.answers[0].method" of a preamble row is missing: it has to be text',
    'value.answers[0].method',
  ],
  [
    'an answer of another run without its URL',
    ['{"kind":"signal","name":"ambient","value":{"boundary":"http","name":"a.test","input":{},"output":{}},"at":1}'],
    '"value.input.method" of a signal row is missing: it has to be text',
    'value.input.method',
  ],
  ['a chunk of nothing', [CALL, '{"kind":"chunk","step":1,"at":1}'], 'a chunk row has to have exactly one of "text", "bytes" and "length"'],
  [
    'a chunk of both',
    [CALL, '{"kind":"chunk","step":1,"at":1,"text":"a","length":1}'],
    'a chunk row has to have exactly one of "text", "bytes" and "length"',
  ],
  [
    'a chunk of a number',
    [CALL, '{"kind":"chunk","step":1,"at":1,"text":7}'],
    '"text" of a chunk row has to be text, a piece {"like":"t3"}, or an array of both, got 7',
    'text',
  ],
  [
    'a piece that is like nothing',
    [CALL, '{"kind":"chunk","step":1,"at":1,"text":["a",{"like":"x"}]}'],
    '"text[1].like" of a chunk row has to be a reference like "t3", got "x"',
    'text[1].like',
  ],
  [
    'a piece like a text that does not exist',
    [CALL, '{"kind":"chunk","step":1,"at":1,"text":{"like":"t7"}}'],
    '"text" refers to the text "t7", which no earlier row has',
    'text',
  ],
  [
    'a piece like what is no text',
    ['{"kind":"text","ref":"t1","value":[1]}', CALL, '{"kind":"chunk","step":1,"at":1,"text":{"like":"t1"}}'],
    '"text" refers to t1, which is not a stream text',
    'text',
  ],
  [
    'a fill of a literal that is not there',
    ['{"kind":"text","ref":"t1","value":"data: 1"}', CALL, '{"kind":"chunk","step":1,"at":1,"text":{"like":"t1","fill":{"1":2}}}'],
    '"text" fills more than the 1 literals of t1',
    'text',
  ],
  [
    'bytes that are no base64',
    [CALL, '{"kind":"chunk","step":1,"at":1,"bytes":"*"}'],
    '"bytes" of a chunk row has to be base64, got "*"',
    'bytes',
  ],
  [
    'draws that are no numbers',
    ['{"kind":"reads","owner":0,"clock":[1,null]}'],
    '"clock[1]" of a reads row has to be a number, got null',
    'clock[1]',
  ],
  [
    'a tick that is not the same',
    ['{"kind":"signal","name":"abort","at":1,"sameTick":false}'],
    '"sameTick" of a signal row has to be true, got false',
    'sameTick',
  ],
  ['a text without a value', ['{"kind":"text","ref":"t1"}'], '"value" of a text row is missing: it has to be a value', 'value'],
  ['a text stored twice', [TEXT, TEXT], 'there is a second text row with "ref" "t1"', 'ref'],
  [
    'a reference to a text that does not exist',
    [CALL.replace('{}', '{"a":[{"$":"t9"}]}')],
    '"input.a[0]" refers to the text "t9", which no earlier row has',
    'input.a[0]',
  ],
  [
    'a text in a text',
    [TEXT, '{"kind":"text","ref":"t2","value":{"a":{"$":"t1"}}}', CALL.replace('{}', '{"$":"t2"}')],
    '"input.a" refers to "t1", but references are not allowed there',
    'input.a',
  ],
  [
    'a value that stands for nothing',
    [CALL, '{"kind":"return","step":1,"at":2,"output":{"at":{"$":{"dat":"soon"}}}}'],
    '"output.at" holds an unknown "$": {"dat":"soon"}',
    'output.at',
  ],
  [
    'a value that hides its $',
    [CALL, '{"kind":"return","step":1,"at":2,"output":{"\\u0024":{"dat":"soon"}}}'],
    '"output" holds an unknown "$": {"dat":"soon"}',
    'output',
  ],
  [
    'a value that is not of its kind',
    ['{"kind":"checkpoint","owner":0,"name":"a","state":{"$":{"date":"soon"}},"at":1}'],
    '"state" holds an invalid "date": "soon"',
    'state',
  ],
  [
    'a conversation after a step that is none',
    [CALL.replace('{}', '{"m":{"$":{"after":1,"add":[]}}}')],
    '"input.m" continues 1, which has no array at this place',
    'input.m',
  ],
  [
    'a conversation after one of another place',
    [CALL.replace('{}', '{"m":[{"a":1}]}'), CALL.replace('"step":1', '"step":2').replace('{}', '{"n":{"$":{"after":1,"add":[]}}}')],
    '"input.n" continues 1, which has no array at this place',
    'input.n',
  ],
  [
    'a conversation after one of the prototype',
    [CALL, CALL.replace('"step":1', '"step":2').replace('{}', '{"constructor":{"$":{"after":1,"add":[]}}}')],
    '"input.constructor" continues 1, which has no array at this place',
    'input.constructor',
  ],
  [
    'a conversation that keeps more than there is',
    [
      CALL.replace('{}', '{"m":[{"a":1}]}'),
      CALL.replace('"step":1', '"step":2').replace('{}', '{"m":{"$":{"after":1,"keep":2,"add":[]}}}'),
    ],
    '"input.m" keeps 2 items of 1, which has 1',
    'input.m',
  ],
  [
    'a conversation that adds nothing',
    [CALL.replace('{}', '{"m":{"$":{"after":1}}}')],
    '"input.m" has to have the form {"after":<number>,"keep":<number>,"add":[…]}',
    'input.m',
  ],
  ['a value that is too deep', [CALL.replace('{}', `${'['.repeat(5000)}${']'.repeat(5000)}`)], 'the row is nested deeper than 1000 levels'],
  ['a second header', [HEADER], 'there is a second run row', 'kind'],
  ['two calls of a step', [CALL, CALL], 'there is a second call row of step 1', 'step'],
  ['a step in itself', [CALL.replace('"owner":0', '"owner":1')], 'step 1 is its own owner', 'owner'],
  [
    'a step in one that was not called',
    [CALL.replace('"owner":0', '"owner":7')],
    'the owner of step 1 is step 7, which has no earlier call row',
    'owner',
  ],
  [
    'a read in a step that was not called',
    ['{"kind":"reads","owner":3}'],
    'the owner of a reads row is step 3, which has no earlier call row',
    'owner',
  ],
  ['a return of a step that was not called', [RETURN], 'a return row belongs to step 1, which has no earlier call row', 'step'],
  ['two returns of a step', [CALL, RETURN, RETURN], 'a return row belongs to step 1, which has already settled', 'step'],
  [
    'a throw after a return',
    [CALL, RETURN, '{"kind":"throw","step":1,"at":2,"error":{"name":"E","message":""}}'],
    'a throw row belongs to step 1, which has already settled',
    'step',
  ],
  [
    'a chunk after a return',
    [CALL, RETURN, '{"kind":"chunk","step":1,"at":2,"length":1}'],
    'a chunk row belongs to step 1, which has already settled',
    'step',
  ],
  [
    'two heads of a step',
    [CALL, '{"kind":"head","step":1,"at":2,"status":200,"headers":[]}', '{"kind":"head","step":1,"at":2,"status":200,"headers":[]}'],
    'step 1 already has a head row',
    'step',
  ],
  ['a row after the end', [END, CALL], 'there is a call row after the end row', 'kind'],
]

it.each(faults)('names file, line and field of %s', (_name, lines, problem, field) => {
  const error = thrownBy(() => read(`${[HEADER, ...lines].join('\n')}\n`))
  expect(error).toMatchObject({
    code: 'GOLDENRUN_TRACE_FORMAT',
    message: `${FILE}:${lines.length + 1}: ${problem}. ${GOLDEN_ADVICE}`,
    file: FILE,
    line: lines.length + 1,
    field,
  })
})

const headerFaults: readonly [name: string, change: (line: string) => string, problem: string, field: string][] = [
  [
    'a format that is no number',
    (line) => line.replace('"format":1', '"format":"1"'),
    '"format" of a run row has to be a number, got "1"',
    'format',
  ],
  [
    'a format before the first',
    (line) => line.replace('"format":1', '"format":0'),
    '"format" of a run row has to be at least 1, got 0',
    'format',
  ],
  [
    'a time that is none',
    (line) => line.replace('2026-03-01T08:00:00.000Z', 'today'),
    '"startedAt" of a run row has to be an ISO 8601 time, got "today"',
    'startedAt',
  ],
  [
    'an expectation that is none',
    (line) => line.replace('"same"', '"similar"'),
    '"golden.expect.replay" of a run row has to be "same" or "departs", got "similar"',
    'golden.expect.replay',
  ],
  [
    'a departure without its step',
    (line) => line.replace('{"replay":"same"}', '{"replay":"departs"}'),
    '"golden.expect.at" of a run row is missing: it has to be a number',
    'golden.expect.at',
  ],
  [
    'a tag that is no text',
    (line) => line.replace('"startedAt"', '"tags":{"a b":1},"startedAt"'),
    '"tags["a b"]" of a run row has to be text, got 1',
    'tags["a b"]',
  ],
]

it.each(headerFaults)('names the field of a header with %s', (_name, change, problem, field) => {
  const error = thrownBy(() => read(`${change(HEADER)}\n`))
  expect(error).toMatchObject({ message: `${FILE}:1: ${problem}. ${GOLDEN_ADVICE}`, file: FILE, line: 1, field })
})

it('refuses an empty file', () => {
  const message = `${FILE}: the file is empty and has no run row. ${GOLDEN_ADVICE}`
  expect(thrownBy(() => read(''))).toMatchObject({ code: 'GOLDENRUN_TRACE_FORMAT', message, line: undefined })
  expect(thrownBy(() => read('\n\n'))).toMatchObject({ message })
})

it('refuses a file that does not begin with its header', () => {
  expect(thrownBy(() => read(`${CALL}\n`))).toMatchObject({
    message: `${FILE}:1: the first row has to be the run row, got a call row. ${GOLDEN_ADVICE}`,
  })
  expect(thrownBy(() => read(`${TEXT}\n${HEADER}\n`))).toMatchObject({
    message: `${FILE}:1: the first row has to be the run row, got a text row. ${GOLDEN_ADVICE}`,
  })
})

it('advises to record again where the file is no golden', () => {
  const [recording = ''] = encodeRows([header])
  const file = '.goldenrun/runs/x.jsonl'
  expect(thrownBy(() => decodeTrace(`${recording}\n${RETURN}\n`, file, digest))).toMatchObject({
    message: `${file}:2: a return row belongs to step 1, which has no earlier call row. ${RECORDING_ADVICE}`,
  })
})

it('refuses a newer format by name of version, whatever else is in it', () => {
  const error = thrownBy(() => read('{"kind":"run","format":4,"something":"new"}\n{"kind":"newer"}\n'))
  expect(TraceVersionError.isInstance(error)).toBe(true)
  expect(error).toMatchObject({ file: FILE, format: 4, supported: 3 })
})

it('reads blank lines, line breaks of Windows and a byte order mark as nothing', () => {
  const rows: Row[] = [header, toolCall(1), { kind: 'return', step: 1, at: 2 }]
  const text = toFile(rows)
  expect(read(`\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`).rows).toStrictEqual(rows)
  expect(read(text.replaceAll('\n', '\n\n')).rows).toStrictEqual(rows)
  expect(read(text.trimEnd()).rows).toStrictEqual(rows)
})

it('counts blank lines when it names a line', () => {
  expect(thrownBy(() => read(`${HEADER}\n\n\n${RETURN}\n`))).toMatchObject({ line: 4 })
})

it('reads a recording up to where the process died', () => {
  const rows: Row[] = [header, toolCall(1), { kind: 'return', step: 1, at: 7, output: 1 }, toolCall(2)]
  const text = toFile(rows).trimEnd()
  for (const cut of [1, 10, 60]) {
    const trace = read(text.slice(0, -cut))
    expect(trace.rows).toStrictEqual([...rows.slice(0, 3), { kind: 'note', what: 'torn-tail', where: 'line 4', at: 7 }])
    expect(trace.end).toBeUndefined()
  }
  expect(read(`${toFile(rows)}\u0000\u0000`).rows.at(-1)).toStrictEqual({ kind: 'note', what: 'torn-tail', where: 'line 5', at: 2 })
})

it('refuses a torn golden, a torn header, and a broken line that is not the last', () => {
  const torn = `${HEADER}\n${CALL}\n${RETURN}`.slice(0, -5)
  expect(thrownBy(() => read(torn))).toMatchObject({ message: `${FILE}:3: the line is not valid JSON. ${GOLDEN_ADVICE}` })
  expect(thrownBy(() => read(HEADER.slice(0, -5)))).toMatchObject({ message: `${FILE}:1: the line is not valid JSON. ${GOLDEN_ADVICE}` })
  const [recording = ''] = encodeRows([header])
  expect(thrownBy(() => read(`${recording}\n${CALL.slice(0, -5)}\n`))).toMatchObject({ line: 2 })
})

it('lets notes follow the end', () => {
  const flagged: Row = { kind: 'note', what: 'flagged', where: 'a user complained', at: 10 }
  expect(read(`${HEADER}\n${END}\n${JSON.stringify(flagged)}\n`).rows.at(-1)).toStrictEqual(flagged)
})
