import type { ProcessSink } from '../../run/processes.ts'
import { AgentMessages } from './agent-messages.ts'
import { type AnsweredScope, answeredScope } from '../mcp/answered-scope.ts'
import type { ChildDouble } from './child-double.ts'
import type { DescribedProcess } from './describe-process.ts'
import { WrittenSteps } from './written-steps.ts'
import { watchInput } from './watch-input.ts'

/** A child process that a run has started, and that does what the recorded one did. */
export function answerChild(double: ChildDouble, { name, input }: DescribedProcess, opener: AnsweredScope): void {
  let stopsWaiting: (() => void) | undefined
  const does = (what: string, given: unknown): void => {
    const { run, owner } = answeredScope() ?? opener
    run.callFunction({ boundary: 'external', name: `${name} ${what}`, input: given, owner, errors: [] }, () => undefined)
  }
  const written = new WrittenSteps()
  const messages = new AgentMessages((message) => {
    const { what, input: given } = written.toStep(message)
    does(what, given)
  })
  const cut = (): void => {
    messages.cut()
    stopsWaiting?.()
    stopsWaiting = undefined
  }
  let hasWritten = false
  if (double.stdin !== null)
    watchInput(double.stdin, {
      write(bytes) {
        hasWritten = true
        messages.add(bytes)
        if (messages.isOpen) stopsWaiting ??= opener.run.writes(cut)
        else cut()
      },
      end() {
        messages.end()
        cut()
        if (hasWritten) does('stdin end', [])
      },
    })
  double.watch({ kill: (signal) => does('kill', signal), send: (message) => does('send', message) })
  const sink: ProcessSink = {
    output(stream, bytes) {
      cut()
      if (stream === undefined) written.hear(bytes)
      double.output(stream, bytes)
    },
    close(ended) {
      cut()
      double.close(ended)
    },
    fail(error) {
      const { code } = error as { readonly code?: unknown }
      if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) double.fail(code)
      else double.fail('ENOENT', error instanceof Error ? error : new Error(String(error)))
    },
  }
  opener.run.answerProcess({ owner: opener.owner, name, input }, sink)
}
