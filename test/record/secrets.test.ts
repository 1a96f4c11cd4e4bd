import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { startRetention } from '../../src/record/retention/retention-timer.ts'
import type { RecorderOptions } from '../../src/record/recorder-options.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { reencryptSecrets, revealSecrets, type StandInSecrets } from '../../src/stores/secrets/kept-secrets.ts'
import { removesSecrets } from '../../src/stores/secrets/removes-secrets.ts'
import { createSecretDirectory, type SecretStore } from '../../src/stores/secrets/secret-store.ts'
import type { SecretKey } from '../../src/stores/secrets/secret-keys.ts'
import { openSecrets } from '../../src/stores/secrets/secrets-options.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const warnings = collectWarnings()
const key = randomBytes(32).toString('base64')

/** Records one run and gives its id. */
async function recordRun(options: RecorderOptions, agent: () => unknown, input: unknown = {}): Promise<string> {
  const recorder = createRecorder(options)
  let id = ''
  await recorder.start()
  await recorder.run({ agent: 'support', input }, () => {
    id = currentRun()?.id ?? ''
    return agent()
  })
  await recorder.close()
  return id
}

async function kept(store: string | SecretStore, run: string, keys: SecretKey = key): Promise<StandInSecrets | undefined> {
  return revealSecrets(openSecrets('test', { store, key: keys }), { at: 'now', who: 'test', run })
}

/** Everything that stands in the files of a directory, also in those below it. */
function bytesIn(directory: string): Buffer {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Buffer.concat(names.map((entry) => readFileSync(path.join(entry.parentPath, entry.name))))
}

const secretsOf = (pairs: StandInSecrets | undefined): string[] => (pairs ?? []).map(([, secret]) => secret)

it.each([[true], [false]])('keeps what redaction takes out, and nothing of it in clear (thread: %s)', async (thread) => {
  await using project = await createTemporaryDirectory()
  const planted = Array.from({ length: 100 }, (_, number) => `person-${number}-${randomBytes(6).toString('hex')}@shop.test`)
  const [store, secrets] = [project.resolve('runs'), project.resolve('secrets')]
  const note = tool('note', { effect: 'write' }, async (text: string) => text.length)
  const run = await recordRun(
    { store, thread, secrets: { store: secrets, key } },
    async () => {
      for (const address of planted.slice(50)) await note(`Write to ${address}.`)
    },
    { to: planted.slice(0, 50) },
  )
  const bytes = Buffer.concat([bytesIn(store), bytesIn(secrets)])
  expect(bytes.length).toBeGreaterThan(1000)
  for (const address of planted)
    for (const form of [address, Buffer.from(address).toString('base64').slice(0, 20), Buffer.from(address).toString('hex')])
      expect(bytes.includes(form)).toBe(false)
  expect(new Set(secretsOf(await kept(secrets, run)))).toEqual(new Set(planted))
  const { text = '' } = (await createDirectoryStore(store).read(run)) ?? {}
  for (const [standIn] of (await kept(secrets, run)) ?? []) expect(text).toContain(standIn)
})

it('lets only its owner read what it keeps', async () => {
  await using project = await createTemporaryDirectory()
  const secrets = project.resolve('secrets')
  const run = await recordRun({ store: project.resolve('runs'), secrets: { store: secrets, key } }, () => 'ada@shop.test')
  expect(statSync(secrets).mode & 0o777).toBe(0o700)
  expect(statSync(path.join(secrets, `${run}.secrets`)).mode & 0o777).toBe(0o600)
})

it('never keeps credentials, whatever rules of the user find of them', async () => {
  await using server = await listen(async (request, response) => void response.end(JSON.stringify({ got: request.headers.authorization })))
  await using project = await createTemporaryDirectory()
  const secrets = project.resolve('secrets')
  const apiKey = 'sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2'
  const card = '4242424242424242'
  const rules = [
    { name: 'mine', pattern: /sk-proj-\w+/ },
    { name: 'mail', path: 'login.password' },
    { name: 'customer', path: 'customer' },
    { name: 'account', path: 'account' },
  ]
  const input = {
    text: `My key is ${apiKey}, my card ${card}, write to ada@shop.test`,
    login: { user: 'ada@shop.test', password: 'bob@shop.test' },
    customer: 'Grace Hopper',
    account: 40_811,
    also: 'bob@shop.test',
    more: { client_secret: 'f00-correct-horse' },
    url: 'https://ada:hunter2secret@shop.test/x',
  }
  const agent = async (): Promise<unknown> =>
    (await fetch(server.url, { headers: { authorization: 'Bearer a9b8c7d6e5f4a3b2c1d0', 'x-api-key': 'k-1234567890abcdef' } })).json()
  const run = await recordRun({ store: project.resolve('runs'), redact: { rules }, secrets: { store: secrets, key } }, agent, input)
  expect(secretsOf(await kept(secrets, run)).toSorted()).toEqual(['40811', card, 'Grace Hopper', 'ada@shop.test'].toSorted())
})

it('keeps nothing where it is not told to, and nothing of a run that is not kept', async () => {
  await using project = await createTemporaryDirectory()
  const secrets = project.resolve('secrets')
  await recordRun({ store: project.resolve('runs') }, () => 'ada@shop.test')
  await recordRun({ store: project.resolve('runs'), secrets: { store: secrets, key }, sample: { rest: 0 } }, () => 'ada@shop.test')
  await recordRun({ store: project.resolve('runs'), secrets: { store: secrets, key } }, () => 'nothing to take out')
  expect(readdirSync(project.path)).toEqual(['package.json', 'runs'])
})

it('refuses a record that was changed in any byte, or is another run of the same key', async () => {
  await using project = await createTemporaryDirectory()
  const secrets = project.resolve('secrets')
  const options = { store: project.resolve('runs'), secrets: { store: secrets, key } }
  const [first, second] = [await recordRun(options, () => 'ada@shop.test'), await recordRun(options, () => 'bob@shop.test')]
  const file = path.join(secrets, `${first}.secrets`)
  const bytes = readFileSync(file)
  const isRefused = async (): Promise<void> => {
    await expect(kept(secrets, first)).rejects.toMatchObject({ code: 'GOLDENRUN_SECRETS' })
  }
  for (const place of bytes.keys()) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 1
    writeFileSync(file, changed)
    await isRefused()
  }
  for (const length of [0, 5, 12, 60, bytes.length - 1]) {
    writeFileSync(file, bytes.subarray(0, length))
    await isRefused()
  }
  writeFileSync(file, readFileSync(path.join(secrets, `${second}.secrets`)))
  await isRefused()
  writeFileSync(file, bytes)
  expect(secretsOf(await kept(secrets, first))).toEqual(['ada@shop.test'])
})

it('encrypts with the first of several keys, decrypts with all, and can encrypt again', async () => {
  await using project = await createTemporaryDirectory()
  const secrets = project.resolve('secrets')
  const [older, newer] = [randomBytes(32).toString('hex'), randomBytes(32)]
  const store = project.resolve('runs')
  const first = await recordRun({ store, secrets: { store: secrets, key: older } }, () => 'ada@shop.test')
  const second = await recordRun({ store, secrets: { store: secrets, key: [newer, older] } }, () => 'bob@shop.test')
  await expect(kept(secrets, second, older)).rejects.toThrow(
    /^The secrets of .* are encrypted with the key [0-9a-f]{16}, which is not among/,
  )
  const byId = (keyId?: string): string | Uint8Array | undefined =>
    [newer, older].find((each) => keyId === undefined || openSecrets('test', { store: secrets, key: each }).keys.current.id === keyId)
  expect(secretsOf(await kept(secrets, first, byId))).toEqual(['ada@shop.test'])
  expect(await reencryptSecrets({ store: secrets, key: [newer, older] })).toBe(1)
  expect(await reencryptSecrets({ store: secrets, key: [newer, older] })).toBe(0)
  expect(secretsOf(await kept(secrets, first, newer))).toEqual(['ada@shop.test'])
  expect(secretsOf(await kept(secrets, second, newer))).toEqual(['bob@shop.test'])
  await expect(kept(secrets, first, older)).rejects.toMatchObject({ code: 'GOLDENRUN_SECRETS' })
})

it('encrypts the same secrets differently each time', async () => {
  await using project = await createTemporaryDirectory()
  const secrets = createSecretDirectory(project.resolve('secrets'))
  const records: string[] = []
  const noting = { ...secrets, write: (_: string, record: Uint8Array) => void records.push(Buffer.from(record).toString('hex').slice(-60)) }
  for (let times = 0; times < 3; times += 1)
    await recordRun({ store: project.resolve('runs'), secrets: { store: noting, key } }, () => 'ada@shop.test')
  expect(new Set(records).size).toBe(3)
})

it('removes the secrets of a run with the run, and keeps both where they cannot be removed', async () => {
  await using project = await createTemporaryDirectory()
  const secrets = createSecretDirectory(project.resolve('secrets'))
  const options = { store: project.resolve('runs'), secrets: { store: secrets, key } }
  const [first, second] = [await recordRun(options, () => 'ada@shop.test'), await recordRun(options, () => 'bob@shop.test')]
  const runs = createDirectoryStore(options.store)
  const broken = { ...secrets, remove: () => Promise.reject(new Error('the disk is gone')) }
  await expect(removesSecrets(runs, broken).remove(first)).rejects.toThrow('the disk is gone')
  expect([await runs.list(), await secrets.list()]).toEqual([
    [first, second],
    [first, second],
  ])
  const timer = startRetention('test', { successful: '0ms' }, removesSecrets(runs, secrets))
  expect(await timer?.pass()).toBe(2)
  timer?.close()
  expect([await runs.list(), await secrets.list()]).toEqual([[], []])
})

it('counts a run as failed whose secrets cannot be kept, and leaves the run and its recording alone', async () => {
  await using project = await createTemporaryDirectory()
  mkdirSync(project.resolve('runs'))
  writeFileSync(project.resolve('secrets'), 'a file')
  const recorder = createRecorder({ store: project.resolve('runs'), secrets: { store: project.resolve('secrets'), key } })
  await recorder.start()
  expect(await recorder.run({ agent: 'support', input: 'ada@shop.test' }, () => 'done')).toBe('done')
  await recorder.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect(recorder.stats()).toMatchObject({ recorded: 0, failed: 1 })
  expect((await createDirectoryStore(project.resolve('runs')).find({})).runs.map(({ status }) => status)).toEqual(['returned'])
  expect(warnings.join('\n')).toMatch(/could not finish the recording .*its secrets could not be kept: EEXIST/)
})

it.each([
  [{ store: 'secrets', key: undefined }, 'has no key. Pass one from the environment'],
  [{ store: 'secrets', key: '' }, 'has no key. Pass one from the environment'],
  [{ store: 'secrets', key: [] }, 'has no key. Pass one from the environment'],
  [{ store: 'secrets', key: () => undefined }, 'has no key. Pass one from the environment'],
  [{ store: 'secrets', key: 'swordfish' }, 'has to have a key of 32 bytes, as base64 or hexadecimal digits.'],
  [{ store: 'secrets', key: new Uint8Array(16) }, 'has to have a key of 32 bytes, as base64 or hexadecimal digits.'],
  [{ store: '', key }, 'has to have a directory as "store", or a store with write, read, remove, list, audit.'],
  [{ store: {} as SecretStore, key }, 'has to have a directory as "store", or a store with write, read, remove, list, audit.'],
])('refuses secrets that it cannot keep (%#)', (secrets, message) => {
  expect(() => createRecorder({ store: 'runs', secrets })).toThrow(message)
  expect(() => createRecorder({ store: 'runs', secrets })).not.toThrow('swordfish')
})
