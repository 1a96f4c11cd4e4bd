import childProcess, { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { guardProcess } from '../../../src/boundaries/contact/guard.ts'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { contactsIn, refusedContact } from './contact-trial.ts'
import { forms, hello, testStartedForms } from '../../support/started-children.ts'

testStartedForms(forms.slice(0, 4))

it('meets what is sent to a child that was forked before', async () => {
  await using directory = await createTemporaryDirectory()
  const module = await directory.write('child.cjs', 'process.on("message", (text) => process.send(text))')
  const release = installDoors()
  const child = fork(module)
  const agent = async (): Promise<unknown> => {
    child.send('hello', () => undefined)
    return (await once(child, 'message'))[0]
  }
  const { trace } = await recordRun(agent)
  expect(contactsIn(trace)).toEqual(['child process node'])
  const said: unknown[] = []
  child.on('message', (text) => said.push(text))
  const asking = async (): Promise<string> => await new Promise((resolve) => void child.send('hello', (error) => resolve(String(error))))
  expect(refusedContact(await replay(trace, asking))).toBe('child process node')
  child.send('last')
  await vi.waitFor(() => expect(said).toEqual(['last']))
  child.kill()
  release()
})

it('fails as a child does in life whose command does not exist', async () => {
  const watch = async (file: string): Promise<unknown[]> => {
    const events: unknown[] = []
    const child = spawn(file, hello)
    for (const event of ['spawn', 'error', 'exit']) child.on(event, () => events.push(event))
    for (const stream of [child.stdout, child.stderr]) stream.on('end', () => events.push('end'))
    child.on('close', (...values) => events.push('close', ...values, child.stdin.destroyed, child.stdout.destroyed, child.stderr.destroyed))
    events.push(child.pid, child.killed, child.stdio.length)
    await once(child, 'error')
    await once(child, 'close')
    return [...events, child.exitCode, child.signalCode, child.connected]
  }
  const release = guardProcess({ onRefused: () => undefined })
  const refused = await watch(process.execPath).catch(String)
  release()
  expect(refused).toEqual(await watch('/nowhere/command').catch(String))
})

it('gives of a command that waits what Node gives of one that does not exist', () => {
  const release = guardProcess({ onRefused: () => undefined })
  const { error: _refusal, ...rest } = childProcess.spawnSync('git', ['push'])
  release()
  const { error: _failure, ...failed } = childProcess.spawnSync('/nowhere/git', ['push'])
  expect(rest).toEqual(failed)
})
