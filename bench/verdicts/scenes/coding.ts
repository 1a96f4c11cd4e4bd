import { HEADER_CHANGES } from '../mutations/agent-headers.ts'
import { CODING_CHANGES } from '../mutations/coding-changes.ts'
import { CODING_REFACTORINGS } from '../mutations/coding-refactorings.ts'
import { USER_TOKEN } from '../world/account-service.ts'
import { asks, type Script, type Turn, type TurnCall } from '../world/script.ts'
import type { Scene, Subject } from './subject.ts'

const TASKS = ['parser', 'router', 'cache', 'logger', 'queue', 'clock', 'mailer', 'index']

/** A programmer's loop with 30 calls and more. */
export const coding: Subject = {
  name: 'coding',
  scenes: TASKS.map((task, index): Scene => ({
    name: `coding-${task}`,
    input: { task, userToken: USER_TOKEN },
    createScript: () => createScript(task, index),
  })),
  mutations: [...CODING_CHANGES, ...CODING_REFACTORINGS, ...HEADER_CHANGES.coding],
}

/** Returns what the model does in each turn. `a` and `b` are two files. */
function toTurns(task: string, index: number): Turn[] {
  const [a, b] = [`${task}/a.ts`, `${task}/b.ts`]
  const read = (path: string) => ['read_file', { path }] as const
  const write = (path: string, version: number) => ['write_file', { path, text: `export const version = ${version + index}` }] as const
  const test = ['run_tests', {}] as const
  const rounds = [
    [['list_files', { folder: task }] as const],
    [read(a), read(b)],
    [write(a, 1)],
    [test],
    [read(a), write(b, 2)],
    [test],
    [read(`${task}/c.ts`), read(b)],
    [write(`${task}/c.ts`, 3), write(a, 4)],
    [['run_tests', { only: a }] as const],
    [read(`${task}/d.ts`), write(b, 5)],
    [test],
    ...(index % 2 === 0 ? [] : [[write(`${task}/d.ts`, 6)], [test]]),
  ]
  const turns = rounds.map((calls, turn): Turn => ({
    text: turn % 3 === 0 ? `Now turn ${turn}.` : null,
    calls: calls.map(([name, args], at): TurnCall => asks(`call_${turn}_${at}`, name, args)),
  }))
  return [...turns, { text: `The ${task} works.` }]
}

function createScript(task: string, index: number): Script {
  const turns = toTurns(task, index)
  return ({ name, count }) => {
    if (name === 'model') return { turn: turns.shift() ?? { text: 'There is nothing more.' } }
    if (name === 'get_task') return { value: { title: `Mend the ${task}.`, folder: task } }
    if (name === 'list_files') return { value: new Set(['a.ts', 'b.ts', 'c.ts', 'd.ts']) }
    if (name === 'read_file') return { value: `// file ${count}\n${'let line = 0\n'.repeat(30)}` }
    if (name === 'run_tests')
      return {
        value: {
          passed: count > 2,
          coverage: new Map([
            ['a.ts', 10 + count],
            ['b.ts', count],
          ]),
        },
      }
    if (name === 'commit') return { value: `commit-${index}` }
    return { value: undefined }
  }
}
