import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { GOLDENRUN_VERSION } from '../../src/trace/version.ts'
import { buildPackage } from '../support/build-package.ts'
import { record, recordCancel } from '../support/recordings.ts'
import { runCommand, spawnCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'

it('prints its help', async () => {
  await using project = await createTemporaryDirectory()
  const { status, stdout, stderr } = await runCommand(project.path, ['--help'])
  expect(stdout).toMatchInlineSnapshot(`
    "Usage: goldenrun [options] [command]

    Records real runs of an agent, and replays them as tests.

    A recording becomes a test in three steps: find it (list), read it (show), keep
    it as a golden trace (promote).

    Options:
      -v, --version                  print the version
      -h, --help                     print this help, or the help of a command

    Commands:
      init [options]                 set up a project: config, test runner, example
                                     test, CI
      record [options] <command...>  run a program and record its agent runs
      list [options]                 list recordings and golden traces
      show [options] <run>           print what happened in a run
      view [options] [run...]        look at a run in the browser
      promote [options] <run...>     promote a recording to a golden trace
      replay [options] [trace...]    replay traces with the agent of
                                     goldenrun.config.ts, without a test runner
      inspect [options] <run>        print the agent's variables at every step of a
                                     run
      debug [options] <run>          stop in the agent at a step of a run
      fork [options] <run>           go back to a step of a run, change something,
                                     and continue
      verify [options] <golden...>   find out with live models whether a fix holds
      similar [options] <run>        find runs that are like this one, and went well
      diff [options] <runs...>       show where runs differ
      check [options]                list golden traces that need attention
      flag [options] <run> <reason>  flag a recording for review
      stats [options]                count recordings, by agent and version
      gc [options]                   remove expired recordings
      forget [options]               remove one customer's recordings
      scrub [options] <where>        redact again what was stored before
      ship [options]                 move finished recordings to a bucket
      costs [options]                compute what a month of recordings costs in a
                                     bucket
      help [command]                 print the help of a command

    Exit status: 0 done or held, 1 diverged, 2 could not run.
    "
  `)
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

it('says which Node it needs on an older one, but prints its help and version there', async () => {
  await using project = await createTemporaryDirectory()
  await project.write('older.mjs', "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.5' } })\n")
  const env = { NODE_OPTIONS: '--import ./older.mjs' }
  for (const command of [['list'], ['show', 'latest']]) {
    expect(await spawnCommand(project.path, command, env)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'goldenrun needs Node 22.15 or newer, this is 20.19.5\n',
    })
  }
  expect(await spawnCommand(project.path, ['--version'], env)).toMatchObject({ status: 0, stdout: `${GOLDENRUN_VERSION}\n` })
  expect(await spawnCommand(project.path, ['list', '--help'], env)).toMatchObject({ status: 0, stderr: '' })
})

it('prints the help of a command', async () => {
  await using project = await createTemporaryDirectory()
  const { status, stdout } = await runCommand(project.path, ['promote', '--help'])
  expect(stdout).toMatchInlineSnapshot(`
    "Usage: goldenrun promote [options] <run...>

    Promotes a recording to a golden trace, which replays are compared with. Shows
    what it will keep, and asks for confirmation.

    Arguments:
      run                          a recording's id, its first characters, the id of
                                   its OpenTelemetry trace or the replay.capture_uri
                                   of its span, 'latest' for the newest one,
                                   'latest~1' for the one before it, a golden's
                                   name, or a path to a .jsonl or .runlog file;
                                   several for the runs of one conversation, in
                                   their order

    Options:
      --name <name>                the name of the golden trace, and of its file;
                                   with several runs, of their folder
      --follows <golden>           the golden of the run before it in its
                                   conversation, which is replayed first
      --describe <sentence>        what the run is about
      --expect <sentence>          the expected outcome; printed when a replay does
                                   not hold
      --incident [step]            the run went wrong: hold when the agent no longer
                                   makes this step (default: the first repeated side
                                   effect)
      --answers <file>             with --incident: a JSON file with answers for the
                                   calls of the fixed agent, by tool or host
      --check <matcher>            with --incident: a check that the fixed agent has
                                   to pass, such as
                                   'toHaveCalledTool("find_refund")', or with "not."
                                   must not; repeatable
      --keep-constant <path>       keep an e-mail address, card or phone number that
                                   is in git-tracked data of the agent, by a path
                                   where the agent passes it (args.to); repeatable
      --no-keep-constants          do not keep those that are literally in the
                                   agent's modules
      --trigger <step>             with --incident: the step whose outcome triggered
                                   it, or 'input' (default: the first of the
                                   repeated calls)
      --allow-write <name>         with --incident: a write that the agent may make
                                   after the trigger, by tool or request; repeatable
      --run-tool <name>            with --incident: a tool whose function runs, for
                                   a fix inside the tool; repeatable
      --witness <ref>              with --incident: a commit that has the bug; its
                                   agent has to reproduce the incident
      --allow-unverified-incident  with --incident: promote it even if no agent
                                   reproduces the incident
      -y, --yes                    do not ask for confirmation
      --force                      replace an existing golden trace of that name
      --no-replay                  do not first replay it with the agent from
                                   goldenrun.config.ts
      --allow-unfinished           promote a run that did not end
      --allow-unrecorded-contacts  promote a run that made unrecorded contacts
      --network                    let the process of the agents keep its network
                                   (default: on Linux it has none, where the system
                                   allows that, unless the config has live hosts or
                                   a context)
      --store <place>              where your recorder writes to: a directory, or a
                                   URL (redis://host, s3://bucket/prefix) (default:
                                   the config's, or ".goldenrun/runs")
      --json                       print one JSON object and nothing else
      -h, --help                   print this help, or the help of a command

    Examples:
      $ npx goldenrun promote latest --name cancel-unshipped
      $ npx goldenrun promote 20261121-021406 --name refund-twice --incident \\
          --describe "The refund API timed out after it had acted" --expect "One refund is booked"
      $ npx goldenrun promote latest~1 latest --name refund-talk

    A golden trace is a file in golden-traces/, to be committed and reviewed like code. A test that holds your agent to it:
      expect(await replay('cancel-unshipped', agent)).toReplayWithoutDivergence()
    "
  `)
  expect(status).toBe(0)
})

it('prints its version', async () => {
  await using project = await createTemporaryDirectory()
  expect(await runCommand(project.path, ['--version'])).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' })
})

it('prints its help to standard error when no command is given', async () => {
  await using project = await createTemporaryDirectory()
  const { status, stdout, stderr } = await runCommand(project.path, [])
  expect(stderr).toMatch(/^Usage: goldenrun \[options\] \[command\]\n/)
  expect(stdout).toBe('')
  expect(status).toBe(2)
})

it.each([
  [['list', '--all'], "error: unknown option '--all'\n"],
  [['list', '--jsn'], "error: unknown option '--jsn'\n(Did you mean --json?)\n"],
  [['lst'], "error: unknown command 'lst'\n(Did you mean list?)\n"],
  [['show'], "error: missing required argument 'run'\n"],
  [['show', 'a', 'b'], "error: too many arguments for 'show'. Expected 1 argument but got 2: a, b.\n"],
  [['list', '--store'], "error: option '--store <place>' argument missing\n"],
])('refuses %j', async (args, message) => {
  await using project = await createTemporaryDirectory()
  expect(await runCommand(project.path, args)).toEqual({
    status: 2,
    stdout: '',
    stderr: `${message}(goldenrun --help lists all commands)\n`,
  })
})

it('prints the message of an error without a stack, and nothing else', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await promote(await readTrace(await recordCancel(store)), { name: 'cancel' })
  const golden = await project.read('golden-traces/cancel.jsonl')
  const lines = golden.trimEnd().split('\n')
  await project.write('golden-traces/empty.jsonl', '')
  await project.write('golden-traces/newer.jsonl', golden.replace(/"format":\d/, '"format":4'))
  await project.write('golden-traces/torn.jsonl', golden.slice(0, -20))
  await project.write('golden-traces/edited.jsonl', golden.replace(/"at":[\d.]+/, '"at":"soon"'))

  const messages = []
  for (const wanted of ['cancle', 'cancle.jsonl', 'empty', 'newer', 'torn', 'edited']) {
    const { status, stdout, stderr } = await runCommand(project.path, ['show', wanted, '--json'])
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    messages.push(stderr.replace(`:${lines.length}: `, ':<last line>: '))
  }
  expect(messages).toMatchInlineSnapshot(`
    [
      "There is no golden trace "cancle" in golden-traces, and no recording with that id in .goldenrun/runs. The nearest: cancel, newer, edited. To see all traces: npx goldenrun list
    ",
      "There is no file cancle.jsonl. The nearest: golden-traces/cancel.jsonl, golden-traces/empty.jsonl, golden-traces/newer.jsonl. To see all traces: npx goldenrun list
    ",
      "golden-traces/empty.jsonl: the file is empty and has no run row. The file was edited by hand or damaged: restore it from version control, or promote the run again.
    ",
      "golden-traces/newer.jsonl was written in trace format 4; this goldenrun (0.1.0) reads up to 3. Update goldenrun: npm install --save-dev goldenrun@latest
    ",
      "golden-traces/torn.jsonl:<last line>: the line is not valid JSON. The file was edited by hand or damaged: restore it from version control, or promote the run again.
    ",
      "golden-traces/edited.jsonl:3: "at" of a call row has to be a number, got "soon". The file was edited by hand or damaged: restore it from version control, or promote the run again.
    ",
    ]
  `)
})

it('prints the message of a file system error without a stack', async () => {
  await using project = await createTemporaryDirectory()
  expect(await runCommand(project.path, ['list', '--store', 'package.json'])).toEqual({
    status: 2,
    stdout: '',
    stderr: `ENOTDIR: not a directory, scandir '${project.resolve('package.json')}'\n`,
  })
})

it('ends quietly when the reader of its output goes away', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  await record(store, { input: 'x'.repeat(5_000_000) }, () => undefined)
  const main = `${await buildPackage()}/dist/cli.js`
  const child = spawn(process.execPath, [main, 'show', 'latest', '--json'], { cwd: project.path })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (data: string) => (stderr += data))
  child.stdout.once('data', () => child.stdout.destroy())
  const [status] = await once(child, 'close')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
