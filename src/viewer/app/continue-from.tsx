import { type Context, createContext, type JSX } from 'preact'
import { useContext, useState } from 'preact/hooks'
import type { Step } from '../../trace/trace.ts'
import { parseJson } from '../../trace/json.ts'
import { toRecorded } from '../../trace/values.ts'
import type { ForkAnswer, ForkRequest } from '../page-data.ts'
import { readAnswer } from '../model/model-call.ts'
import { Fold } from './fold.tsx'

/** The address at which a served page requests forks; undefined on every other page. */
export const Forks: Context<string | undefined> = createContext<string | undefined>(undefined)

/** Continues the run from a step with a different answer. On served pages only. */
export function ContinueFrom({ step }: { readonly step: Step }): JSX.Element | null {
  const address = useContext(Forks)
  if (address === undefined) return null
  return <Fold title="Continue with a different answer">{() => <ForkForm step={step} address={address} />}</Fold>
}

function ForkForm({ step, address }: { readonly step: Step; readonly address: string }): JSX.Element {
  const [answer, setAnswer] = useState(() => answerText(step))
  const [state, tell] = useState<'ready' | 'running' | { readonly problem: string }>('ready')
  const onFork = async (): Promise<void> => {
    tell('running')
    const result = await requestFork(address, { step: step.step, answer: step.boundary === 'model' ? asJson(answer) : answer })
    if ('href' in result) location.assign(result.href)
    else tell(result)
  }
  return (
    <>
      <p class="muted">The agent runs again up to this step, gets this answer (text or JSON), and continues. Nothing is really called.</p>
      <textarea aria-label="The answer" rows={6} value={answer} onInput={(event) => setAnswer(event.currentTarget.value)} />
      <p>
        <button type="button" class="primary" disabled={state === 'running'} onClick={() => void onFork()}>
          {state === 'running' ? 'Running the agent' : 'Fork'}
        </button>
      </p>
      {typeof state === 'object' && (
        <p class="alert bad" role="alert">
          {state.problem}
        </p>
      )}
    </>
  )
}

/** Text typed for a model is a text answer, unless it is an answer as JSON. */
function asJson(typed: string): string {
  const value = parseJson(typed)
  return typeof value === 'string' || (typeof value === 'object' && value !== null) ? typed : JSON.stringify(typed)
}

/** Returns the recorded answer for editing; for a model, its text. */
function answerText(step: Step): string {
  return step.boundary === 'model' ? (readAnswer(step)?.text ?? '') : JSON.stringify(toRecorded(step.output ?? null), undefined, 2)
}

async function requestFork(address: string, request: ForkRequest): Promise<ForkAnswer> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
    return (await response.json()) as ForkAnswer
  } catch (error) {
    return { problem: `The server did not answer: ${error instanceof Error ? error.message : String(error)}` }
  }
}
