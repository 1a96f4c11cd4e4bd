import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { expect, it } from 'vitest'
import { type ServedViews, serveViews } from '../../src/cli/view/serve-views.ts'
import { buildPackage } from '../support/build-package.ts'
import { recordCancel, recordRefundTwice } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

it('writes a run as a page, and opens nothing without a terminal', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  const { status, stdout, stderr } = await runCommand(project.path, ['view', 'latest'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(new RegExp(`^Wrote \\.goldenrun/pages/${id}\\.html \\(1\\d\\d kB\\)\\.\n$`))
  expect(readFileSync(`.goldenrun/pages/${id}.html`, 'utf8')).toContain(`<title>${id} · goldenrun</title>`)
})

it('writes to the file that --out names, and prints it as JSON', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  const { stdout } = await runCommand(project.path, ['view', 'latest', '--out', 'pages/a.html', '--json'])
  expect(JSON.parse(stdout)).toEqual({ file: expect.stringMatching(/pages.a\.html$/), bytes: readFileSync('pages/a.html').length })
})

it('compares further runs with the first', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const [a, b] = [await recordCancel(store), await recordRefundTwice(store)]
  expect(await runCommand(project.path, ['view', a, b, '--out', 'both.html'])).toMatchObject({ status: 0 })
  expect(readFileSync('both.html', 'utf8')).toContain(`<title>${a}, ${b} · goldenrun</title>`)
})

it('asks for a run', async () => {
  await using project = await createTemporaryDirectory()
  expect(await runCommand(project.path, ['view'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('error: name a run, or use --serve'),
  })
})

const views: ServedViews = {
  store,
  query: {},
  port: 0,
  readRuns: async (runs) => ({ kind: 'run', runs: runs.map((name) => ({ name, text: '' })), comparisons: [] }),
  forkRun: async (run, { step, answer }) => `fork-of-${run}-${step}-${answer}`,
}

/** What a server answers. */
function ask(
  address: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body = '',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { headers, method }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject).end(body)
  })
}

it('serves a list of runs and their pages on this machine', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  const server = await serveViews(views)
  try {
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/)
    expect(await ask(server.address)).toMatchObject({ status: 200, text: expect.stringContaining('<title>Runs · goldenrun</title>') })
    const page = await ask(server.addressOf(['support/refund', 'b']))
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<title>support/refund, b · goldenrun</title>') })
    expect(page.text).toContain("connect-src 'self'")
  } finally {
    await server.close()
  }
})

it('refuses requests without the token, from a different origin, or by a different name', async () => {
  const server = await serveViews(views)
  try {
    const { origin, host } = new URL(server.address)
    const statusOf = async (address: string, headers: Readonly<Record<string, string>> = {}, method?: string): Promise<number> =>
      (await ask(address, headers, method)).status
    expect(await statusOf(`${origin}/`)).toBe(404)
    expect(await statusOf(server.address.replace(/.\/$/, '/'))).toBe(404)
    expect(await statusOf(server.addressOf(['a']), { host: `evil.example:${new URL(origin).port}` })).toBe(403)
    expect(await statusOf(server.addressOf(['a']), { origin: 'https://evil.example' })).toBe(403)
    expect(await statusOf(server.addressOf(['a']), { origin: 'null' })).toBe(403)
    expect(await statusOf(server.addressOf(['a']), {}, 'POST')).toBe(405)
    expect(await statusOf(server.addressOf(['a']), { host, origin })).toBe(200)
  } finally {
    await server.close()
  }
})

it('forks a run for its own page, and for no other', async () => {
  const server = await serveViews(views)
  try {
    const { origin } = new URL(server.address)
    const post = (body: object | string, headers: Readonly<Record<string, string>>): Promise<{ status: number; text: string }> =>
      ask(`${server.address}fork/a`, headers, 'POST', typeof body === 'string' ? body : JSON.stringify(body))
    const { text, status } = await post({ step: 7, answer: '{"id":1}' }, { origin })
    expect(status).toBe(200)
    const fork = encodeURIComponent('fork-of-a-7-{"id":1}')
    expect(JSON.parse(text)).toEqual({ href: `${new URL(server.address).pathname}run/a,${fork}#step=7` })
    const prose = await post({ step: 7, answer: '@/etc/passwd' }, { origin })
    expect([prose.status, decodeURIComponent(prose.text)]).toEqual([200, expect.stringContaining('fork-of-a-7-"@/etc/passwd"#step=7')])
    expect(await post({ step: 7, answer: '{"id": 1' }, { origin })).toEqual({
      status: 422,
      text: '{"problem":"The answer begins like JSON, but is not valid JSON."}',
    })
    expect(await post('nonsense', { origin })).toEqual({ status: 422, text: '{"problem":"A fork needs a step and an answer."}' })
    expect((await post({ step: 7, answer: '1' }, {})).status).toBe(403)
    expect((await post({ step: 7, answer: '1' }, { origin: 'https://evil.example' })).status).toBe(403)
  } finally {
    await server.close()
  }
})

it('tells a page that is open that its run has changed', async () => {
  let text = 'before'
  const server = await serveViews({ ...views, readRuns: async () => ({ kind: 'run', runs: [{ name: 'a', text }], comparisons: [] }) })
  try {
    const response = await fetch(`${server.addressOf(['a'])}/changes`)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe(': watching\n\n')
    text = 'after'
    expect((await reader?.read())?.value).toBe('event: change\ndata:\n\n')
    await reader?.cancel()
  } finally {
    await server.close()
  }
})

/** Starts the built command, and gives the address that it prints. */
async function serve(directory: string, args: readonly string[]): Promise<{ readonly address: string; readonly child: ChildProcess }> {
  const cli = path.join(await buildPackage(), 'dist/cli.js')
  const child = spawn(process.execPath, [cli, 'view', '--serve', '--json', ...args], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  for await (const part of child.stdout.setEncoding('utf8')) {
    printed += String(part)
    if (printed.trimEnd().endsWith('}')) break
  }
  return { address: (JSON.parse(printed) as { address: string }).address, child }
}

it('opens what the list has and what was named, and no other file', { timeout: 60_000 }, async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const id = await recordCancel(store)
  const elsewhere = await recordCancel('other/runs')
  const { stdout } = await runCommand(project.path, [
    'promote',
    elsewhere,
    '--store',
    'other/runs',
    '--name',
    'cancel',
    '--yes',
    '--no-replay',
  ])
  expect(stdout).toContain('golden-traces/cancel.jsonl')
  copyFileSync('golden-traces/cancel.jsonl', 'copy.jsonl')
  const { address, child } = await serve(project.path, [])
  try {
    const statusOf = async (run: string): Promise<number> => (await ask(`${address}run/${encodeURIComponent(run)}`)).status
    expect([await statusOf(id), await statusOf('cancel')]).toEqual([200, 200])
    const files = [
      'copy.jsonl',
      './copy',
      path.resolve('copy.jsonl'),
      '../copy.jsonl',
      '/etc/passwd',
      `other/runs/${elsewhere}.runlog`,
      'latest',
    ]
    for (const file of files) expect([file, await statusOf(file)]).toEqual([file, 404])
    const forked = await ask(
      `${address}fork/${encodeURIComponent(path.resolve('copy.jsonl'))}`,
      { origin: new URL(address).origin },
      'POST',
      '{"step":1,"answer":"1"}',
    )
    expect(forked).toMatchObject({ status: 422, text: expect.stringContaining('There is no golden trace') })
  } finally {
    child.kill('SIGINT')
  }
  const named = await serve(project.path, ['copy.jsonl'])
  try {
    expect((await ask(named.address)).status).toBe(200)
  } finally {
    named.child.kill('SIGINT')
  }
})

it('says which port is taken, and which file cannot be written', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await recordCancel(store)
  const server = await serveViews(views)
  try {
    const { port } = new URL(server.address)
    expect(await runCommand(project.path, ['view', '--serve', '--port', port])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining(
        `Port ${port} cannot be used: another program listens there. Name another one with --port, or leave it out for any that is free.`,
      ),
    })
  } finally {
    await server.close()
  }
  expect(await runCommand(project.path, ['view', 'latest', '--out', '.goldenrun'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('The page .goldenrun cannot be written: EISDIR'),
  })
})
