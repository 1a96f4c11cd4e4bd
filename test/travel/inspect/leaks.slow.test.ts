import { afterAll, beforeAll, expect, it } from 'vitest'
import type { InspectedRun } from '../../../src/travel/inspect/inspected-run.ts'
import { startDebugging } from './debugged-project.ts'
import { createInspectedProject, type InspectedProject, stepOf, variable } from './inspected-project.ts'

// Secrets in forms and places where a description could forget them. Every one of them contains the word LEAK, or is a number of its own.

const agent = `
import { tool } from 'goldenrun'

const ask = tool('ask', { effect: 'read' }, async ({ about }: { about: string }) => ({ about }))

class Session {
  cookie = 'sid=LEAKpublic1122'
  #cookie = 'sid=LEAKprivate3344'
  #password = 'LEAKpassword5566'
  #customers = [{ name: 'LEAK Greta' }]
  #city = 'Graz'
  size() { return this.#cookie.length + this.#password.length + this.#customers.length + this.#city.length }
}

class Customers extends Array<{ name: string }> {}

export async function loads(): Promise<string> {
  process.loadEnvFile('secrets.env')
  const fromFile = 'https://example.com/?key=' + process.env.FILE_KEY
  process.env.SET_KEY = 'LEAK' + '-set-in-the-run'
  const setInRun = process.env.SET_KEY
  const rotated = process.env.ROTATED_KEY
  delete process.env.ROTATED_KEY
  const odd = process.env.ODD_KEY ?? ''
  const json = JSON.stringify({ odd })
  const jsonInJson = JSON.stringify(json)
  const inUrl = encodeURIComponent(odd)
  const inForm = new URLSearchParams({ odd }).toString()
  const pin = Number(process.env.PIN_CODE)
  const bigPin = BigInt(process.env.PIN_CODE ?? 0)
  const pins = [{ pin }]
  const short = process.env.DB_PASS
  const line = (process.env.LINES_KEY ?? '').split('\\n')[1]
  const encoded = Buffer.from(odd).toString('base64')
  const common = process.env.SWITCH
  const answer = await ask({ about: 'environment' })
  void [fromFile, setInRun, rotated, json, jsonInJson, inUrl, inForm, pins, bigPin, short, line, encoded, common]
  return answer.about
}

export async function hides(): Promise<string> {
  const session = new Session()
  const bySymbol = { [Symbol('password')]: 'LEAKsymbol7788' }
  const boxed = { password: new String('LEAKboxed9900') }
  const long = { password: 'LEAKlong' + 'x'.repeat(40_000) }
  const customers = Customers.from([{ name: 'LEAK Edith' }])
  const byKey = new Map([['api_key', { value: 1 }], ['customers', [{ name: 'LEAK Alan' }]]] as [string, unknown][])
  const headers = new Headers({ 'x-custom-auth': 'LEAKheader1', accept: 'text/plain' })
  const request = new Request('http://127.0.0.1:1/', { headers: { 'x-other': 'LEAKheader2' } })
  const before = 'a letter to LEAK Ada of Graz'
  const answer = await ask({ about: 'fields' })
  const late = { customers: [{ name: 'LEAK Ada' }] }
  await ask({ about: 'more' })
  void [session.size(), bySymbol, boxed, long, customers, byKey, headers, request, before, late]
  return answer.about
}
`

const env = {
  ODD_KEY: 'LEAK "quo/te" +x',
  PIN_CODE: '90812374655',
  DB_PASS: 'zq79k',
  LINES_KEY: 'first line\nLEAKsecondline',
  SWITCH: 'true',
}

let project: InspectedProject

beforeAll(async () => {
  project = await createInspectedProject(
    { loads: './agent.ts#loads', hides: './agent.ts#hides' },
    { 'agent.ts': agent, 'secrets.env': 'FILE_KEY=LEAK-of-the-file\n' },
  )
  await project.write(
    'goldenrun.config.ts',
    `export default {
  agents: { loads: './agent.ts#loads', hides: './agent.ts#hides' },
  redact: { rules: [{ name: 'customer', path: 'customers[*].name' }] },
}
`,
  )
})

afterAll(() => project[Symbol.asyncDispose]())

it('masks what the agent loads into its own environment, in every form that a text or a number gives it', async () => {
  await project.record('loads', {}, { ...env, ROTATED_KEY: 'LEAK-rotated' })
  const run = await project.inspect(['latest'], { ...env, ROTATED_KEY: 'LEAK-rotated' })
  const read = (name: string): unknown => variable(stepOf(run, 1).frames, 'loads', name)
  expect(read('fromFile')).toBe('https://example.com/?key=<env FILE_KEY>')
  expect([read('setInRun'), read('rotated')]).toEqual(['<env SET_KEY>', '<env ROTATED_KEY>'])
  expect([read('json'), read('inUrl'), read('inForm')]).toEqual(['{"odd":"<env ODD_KEY>"}', '<env ODD_KEY>', 'odd=<env ODD_KEY>'])
  expect(read('jsonInJson')).toBe(JSON.stringify('{"odd":"<env ODD_KEY>"}'))
  expect([read('pin'), read('bigPin')]).toEqual(['<env PIN_CODE>', { $: { bigint: '<env PIN_CODE>' } }])
  expect(read('pins')).toEqual([{ pin: '<env PIN_CODE>' }])
  expect([read('short'), read('line'), read('encoded')]).toEqual(['<env DB_PASS>', '<env LINES_KEY>', '<env ODD_KEY>'])
  expect(read('common')).toBe('true')
  expect(JSON.stringify(run)).not.toMatch(/LEAK|90812374655|zq79k/)
})

it('masks it in the terminal of the debugger, too', async () => {
  await project.record('loads', {}, { ...env, ROTATED_KEY: 'LEAK-rotated' })
  await using terminal = await startDebugging(project, ['latest', '--at', '1'])
  await terminal.printed(/^Step 1, before tool ask/m)
  terminal.type('fromFile')
  await terminal.printed(/^"https:\/\/example\.com\/\?key=<env FILE_KEY>"$/m)
  terminal.type('vars')
  await terminal.printed(/^ {4}setInRun = "<env SET_KEY>"$/m)
  expect(await terminal.end()).toBe(0)
  expect(terminal.output).not.toContain('LEAK')
})

it('redacts a private field, a symbol and a boxed text by the name of the field, and does not look into headers', async () => {
  await project.write(
    'record-redacted.ts',
    `
import { createRecorder } from 'goldenrun'
import { hides } from './agent.ts'
const redact = { rules: [{ name: 'customer', path: 'customers[*].name' }] }
const recorder = createRecorder({ store: '.goldenrun/runs', thread: false, redact })
await recorder.run({ agent: 'hides', input: {} }, hides)
await recorder.close()
process.exit(0)
`,
  )
  await project.runNode(['record-redacted.ts'])
  const run: InspectedRun = await project.inspect(['latest'])
  const read = (name: string): unknown => variable(stepOf(run, 1).frames, 'hides', name)
  // What is there is shown, without what is secret in it.
  expect(read('session')).toMatchObject({ $: { class: 'Session' }, cookie: expect.any(String) as string, '#city': 'Graz' })
  expect(Object.keys(read('session') as object).toSorted()).toEqual(['#city', '#cookie', '#customers', '#password', '$', 'cookie'])
  expect(read('headers')).toEqual({ $: { class: 'Headers', unread: 'native' } })
  expect(read('request')).toEqual({ $: { class: 'Request', unread: 'native' } })
  expect(read('byKey')).toMatchObject({
    $: {
      map: [
        ['api_key', { value: 1 }],
        ['customers', [{ name: expect.any(String) as string }]],
      ],
    },
  })
  expect(JSON.stringify(run)).not.toContain('LEAK')
})
