import { createRequire } from 'node:module'
import path from 'node:path'
import { HOST, type Way, type World } from '../way.ts'

// Loaded by the way that takes it, so that the ways before it are refused without a look at the kernel's tables.
const load = createRequire(import.meta.url)

interface Pty {
  spawn(program: string, args: readonly string[], options: object): Shell
}

interface Shell {
  onExit(listen: () => void): void
}

/** The part of BAML's API that is used here. */
interface Baml {
  readonly BamlRuntime: {
    fromFiles(root: string, files: Readonly<Record<string, string>>, environment: object): Runtime
  }
}

interface Runtime {
  createContextManager(): unknown
  callFunction(name: string, args: object, context: unknown, ...rest: unknown[]): Promise<unknown>
}

const isElsewhere = (): boolean => process.platform !== 'linux'
const AFTER_THE_LOOK = 'Native code that is not waited for'

const openShell = (args: readonly string[]): Shell => (load('@lydell/node-pty') as Pty).spawn('sh', args, {})
const hello = ({ folder }: World): string => `echo hello > "${path.join(folder, 'written-by-pty')}"`

/** Programs and connections of native code, which pass all of Node's own modules. */
export const nativeWays: readonly Way[] = [
  {
    name: 'a shell of node-pty',
    needs: [],
    isMissing: isElsewhere,
    take(world) {
      const shell = openShell(['-c', hello(world)])
      return new Promise((resolve) => shell.onExit(() => resolve(undefined)))
    },
  },
  {
    name: 'a request of BAML',
    needs: ['http'],
    isMissing: isElsewhere,
    openWhenLeft: AFTER_THE_LOOK,
    async take({ ports }) {
      const source = `client<llm> Model {
  provider openai-generic
  options {
    base_url "http://${HOST}:${ports.http}/v1"
    model "gpt-5"
    api_key "sk-x"
  }
}
function Ask(question: string) -> string {
  client Model
  prompt #"{{ question }}"#
}
`
      // Its log would stand among the command's output.
      process.env['BAML_LOG'] = 'off'
      const runtime = (load('@boundaryml/baml/native') as Baml).BamlRuntime.fromFiles('baml_src', { 'baml_src/a.baml': source }, {})
      const asked = runtime.callFunction('Ask', { question: 'how' }, runtime.createContextManager(), null, null, [], {}, {})
      // The server speaks HTTP, and is no model.
      await asked.catch(() => undefined)
    },
  },
]
