import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { type CommandResult, runCommand } from '../support/run-command.ts'
import { createVitestWorkspace, supportProject } from '../support/vitest-workspace.ts'

// Agents are loaded, one after another.
vi.setConfig({ testTimeout: 120_000 })

const mount = (...args: readonly string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0

it('names what cannot be written in a read-only folder, where and why', async (context) => {
  await using workspace = await createVitestWorkspace()
  const { 'vitest.config.ts': _, ...files } = await supportProject()
  const project = await workspace.project(files)
  const goldenrun = (...args: readonly string[]): Promise<CommandResult> => runCommand(project.path, args)
  const fork = ['fork', 'cancel-unshipped', '--at', 'turn:3', '--answer', '"Done."']
  const { stdout } = await goldenrun(...fork)
  const id = /Saved as (\S+)\./.exec(stdout)?.[1] ?? ''
  if (!mount('--bind', project.path, project.path)) return context.skip('A folder can be mounted by root only.')
  try {
    expect(mount('-o', 'remount,ro,bind', project.path)).toBe(true)
    const why = 'the file system is read-only (EROFS). Mount it for writing, or run this in a folder that can be written.'
    for (const [args, message] of [
      [['view', 'cancel-unshipped'], `The page .goldenrun/pages/cancel-unshipped.html cannot be written: ${why}`],
      [['promote', id, '--name', 'new/done', '--yes'], `Cannot write golden-traces/new/done.jsonl: ${why}`],
      [['flag', id, 'look'], `Cannot write .goldenrun/runs/${id}.flags: ${why}`],
      [fork, `Cannot write the fork to .goldenrun/runs (to continue without saving it: --no-keep): ${why}`],
    ] as const) {
      const { status, stderr } = await goldenrun(...args)
      expect([args[0], status, stderr.split('\n').at(-2)]).toEqual([args[0], 2, message])
    }
    const set = await goldenrun('init', '--yes', '--runner', 'vitest')
    expect([set.status, set.stderr]).toEqual([
      2,
      expect.stringMatching(/^Cannot write \S+: the file system is read-only \(EROFS\)\. Mount it/m),
    ])
    expect((await goldenrun('list')).stdout).toContain(id)
  } finally {
    spawnSync('umount', [project.path])
  }
})

it('leaves no empty page on a full disk', async (context) => {
  await using workspace = await createVitestWorkspace()
  const project = await workspace.project({ 'full/.keep': '', ...(await supportProject()) })
  const folder = `${project.path}/full`
  if (!mount('-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder)) return context.skip('A disk can be mounted by root only.')
  try {
    const { status, stderr } = await runCommand(project.path, ['view', 'cancel-unshipped', '--out', 'full/page.html'])
    const why = 'the disk is full (ENOSPC). Make room, and run this again.'
    expect([status, stderr]).toEqual([2, `The page full/page.html cannot be written: ${why}\n`])
    expect(readdirSync(folder)).toEqual([])
  } finally {
    spawnSync('umount', [folder])
  }
})
