import { afterEach, beforeEach, expect, it } from 'vitest'
import { environmentOfStarted, setStandInKeys } from '../../src/config/stand-in-keys.ts'
import { standInVariables } from '../../src/replay/engine/run-environment.ts'

let before: NodeJS.ProcessEnv = {}

beforeEach(() => {
  before = { ...process.env }
})

afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, before)
  standInVariables.clear()
})

it('sets what a run sent and this machine lacks: its text, or a stand-in for a credential', () => {
  setStandInKeys({ ACME_ORGANIZATION: 'org_1', ACME_API_KEY: null, GITHUB_TOKEN: null })
  expect(process.env).toMatchObject({ ACME_ORGANIZATION: 'org_1', ACME_API_KEY: 'goldenrun-stand-in-ACME_API_KEY' })
})

it.each([
  ['NODE_OPTIONS', '--import=data:text/javascript,1'],
  ['node_options', '--import=data:text/javascript,1'],
  ['NODE_REDIRECT_WARNINGS', '/tmp/written'],
  ['LD_PRELOAD', '/tmp/evil.so'],
  ['BASH_ENV', '/tmp/evil.sh'],
  ['GIT_CONFIG_COUNT', '1'],
  ['PATH', '/tmp/evil'],
  ['PAGER', 'touch written'],
  ['HTTPS_PROXY', 'http://evil.example'],
  ['GOLDENRUN', 'record'],
  ['GOLDENRUN_MARKDOWN_FILE', '/tmp/written'],
  ['GOLDENRUN_PAGES', null],
  ['GITHUB_STEP_SUMMARY', '/tmp/written'],
  ['NODE_OPTIONS', null],
])('lets no trace set %s to %j', (name, value) => {
  Reflect.deleteProperty(process.env, name)
  setStandInKeys({ [name]: value })
  expect(process.env[name]).toBeUndefined()
})

it('keeps what a trace set from the processes that goldenrun starts', () => {
  setStandInKeys({ ACME_ORGANIZATION: 'org_1' })
  expect(environmentOfStarted()).not.toHaveProperty('ACME_ORGANIZATION')
  expect(environmentOfStarted()['OPENAI_API_KEY']).toBe(process.env['OPENAI_API_KEY'])
})
