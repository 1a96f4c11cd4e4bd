import { tool } from 'goldenrun'
import type { Context } from '../context.ts'

/** What the agent can do in a workspace. */
export interface Workspace {
  run(name: string, args: Readonly<Record<string, string>>): Promise<unknown>
  getTask(id: string, session: string): Promise<{ title: string; folder: string }>
  lint(): Promise<string>
  commit(args: object): Promise<string>
  readonly changes: readonly string[]
}

/** The result of running the tests. */
interface Tested {
  readonly passed: boolean
  /** Lines that were executed, by file. */
  readonly coverage: ReadonlyMap<string, number>
}

export function openWorkspace(context: Context, session: string): Workspace {
  const read = tool('read_file', { effect: 'read' }, (args: object): Promise<string> => context.call('read_file', args))
  const write = tool('write_file', { effect: 'write' }, (args: object): Promise<void> => context.call('write_file', args))
  const list = tool('list_files', { effect: 'read' }, (args: object): Promise<ReadonlySet<string>> => context.call('list_files', args))
  const test = tool('run_tests', { effect: 'read' }, (args: object): Promise<Tested> => context.call('run_tests', args))
  const known = new Map<string, string>()
  const changes: string[] = []
  return {
    changes,
    getTask: tool('get_task', { effect: 'read' }, (...args: [id: string, session: string]): Promise<{ title: string; folder: string }> =>
      context.call('get_task', ...args),
    ),
    lint: tool('lint', { effect: 'read' }, (): Promise<string> => context.call('lint')),
    commit: tool('commit', { effect: 'write' }, (args: object): Promise<string> => context.call('commit', args)),
    async run(name, args) {
      switch (name) {
        case 'list_files':
          return [...(await list(args))]
        case 'read_file': {
          const path = args['path'] ?? ''
          const text = known.get(path) ?? (await read({ path }))
          known.set(path, text)
          return text
        }
        case 'write_file': {
          const change = crypto.randomUUID()
          changes.push(change)
          await write({ ...args, change, session })
          known.set(args['path'] ?? '', args['text'] ?? '')
          return 'written'
        }
        case 'run_tests': {
          const { passed, coverage } = await test({ ...args, session, at: new Date().toISOString() })
          return { passed, coverage: [...coverage] }
        }
        default:
          throw new Error(`There is no tool ${name}.`)
      }
    },
  }
}
