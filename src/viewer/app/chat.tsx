import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { NormalAnswer, NormalMessage } from '../../models/dialect.ts'
import { parseJson } from '../../trace/json.ts'
import type { Step } from '../../trace/trace.ts'
import { type ViewedModelCall, systemOf, wholeConversation } from '../model/model-call.ts'
import { visible } from '../model/visible.ts'
import { counted, formatCount, formatUsd } from './format.ts'
import { Fold, Part } from './fold.tsx'
import { Text } from './text.tsx'
import { ValueTree } from './value-tree.tsx'

interface ChatProps {
  readonly step: Step
  readonly call: ViewedModelCall
  /** Whether the answer broke off. */
  readonly isCut: boolean
  readonly cost?: number | undefined
}

/** A model call as a conversation: its new messages, and the answer. */
export function Chat({ step, call, isCut, cost }: ChatProps): JSX.Element {
  const { request, isNewSystem, isNewTools, answer } = call
  return (
    <>
      <Facts call={call} cost={cost} />
      {systemOf(step).map((text) => (
        <Fold title="System prompt" note={isNewSystem ? undefined : 'as before'} isOpen={isNewSystem}>
          {() => <Message role="system" text={text} />}
        </Fold>
      ))}
      {request.tools.length > 0 && (
        <Fold title="Tools" note={`${listed(request.tools.map(({ name }) => name))}${isNewTools ? '' : ' (as before)'}`}>
          {() => <ValueTree value={request.tools} root="tools" />}
        </Fold>
      )}
      {Object.keys(request.sampling).length > 0 && (
        <Fold title="Settings" note={listed(Object.keys(request.sampling))}>
          {() => <ValueTree value={request.sampling} />}
        </Fold>
      )}
      <Part title="Messages">
        <Earlier step={step} count={call.earlier} />
        {request.messages.map((message) => (
          <SaidMessage message={message} />
        ))}
      </Part>
      <Part title="Answer" note={isCut ? 'what arrived before it was cut off' : undefined}>
        {answer === undefined ? <p class="muted">None arrived.</p> : <Answer answer={answer} />}
      </Part>
    </>
  )
}

function Facts({ call, cost }: Pick<ChatProps, 'call' | 'cost'>): JSX.Element {
  const { model } = call.request
  const { usage, stopReason, model: answered } = call.answer ?? {}
  return (
    <p class="facts">
      <span>{visible(answered !== undefined && answered !== model ? `${model}, answered by ${answered}` : model)}</span>
      {usage && usage.inputTokens + usage.outputTokens > 0 && (
        <span>
          {formatCount(usage.inputTokens)} → {formatCount(usage.outputTokens)} tokens
        </span>
      )}
      {usage?.cacheReadTokens !== undefined && usage.cacheReadTokens > 0 && (
        <span>{formatCount(usage.cacheReadTokens)} from the cache</span>
      )}
      {cost !== undefined && cost > 0 && <span>{formatUsd(cost)}</span>}
      {stopReason && <span>stopped: {stopReason}</span>}
    </p>
  )
}

function Earlier({ step, count }: { readonly step: Step; readonly count: number }): JSX.Element | null {
  const [open, setOpen] = useState(false)
  if (count === 0) return null
  return (
    <>
      <button type="button" class="fold earlier" aria-expanded={open} onClick={() => setOpen(!open)}>
        {counted(count, 'earlier message')}
      </button>
      {open &&
        wholeConversation(step)
          .slice(0, count)
          .map((message) => <SaidMessage message={message} />)}
    </>
  )
}

/** A message of a conversation. */
export function SaidMessage({ message }: { readonly message: NormalMessage }): JSX.Element {
  const { role, text, toolCalls = [], toolResult, parts = [] } = message
  const isError = toolResult?.isError === true
  return (
    <Message role={isError ? 'tool error' : role} text={text}>
      {toolCalls.map(({ name, args }) => (
        <div class="asked">
          <span class="call-name">{visible(name)}</span>
          <ValueTree value={args} root="args" />
        </div>
      ))}
      {parts.length > 0 && <ValueTree value={parts} />}
    </Message>
  )
}

function Answer({ answer: { text, reasoning, refusal, toolCalls, error } }: { readonly answer: NormalAnswer }): JSX.Element {
  return (
    <>
      {reasoning && <Fold title="Reasoning">{() => <Message role="reasoning" text={reasoning} />}</Fold>}
      {(text !== '' || toolCalls.length > 0) && <SaidMessage message={{ role: 'assistant', text, toolCalls }} />}
      {refusal && <Message role="refusal" text={refusal} />}
      {error && <Message role="error" text={[error.type, error.message].filter(Boolean).join(': ')} />}
    </>
  )
}

interface MessageProps {
  readonly role: string
  readonly text: string
  /** Default: as the role. */
  readonly kind?: string
  readonly children?: unknown
}

/** A text, and who said it. */
export function Message({ role, text, kind = role, children }: MessageProps): JSX.Element {
  const json = kind === 'tool' ? jsonIn(text) : undefined
  return (
    <div class={`message ${kind.replace(' ', '-')}`}>
      <div class="role">{visible(role)}</div>
      <div class="said">
        {json !== undefined ? (
          <ValueTree value={json} />
        ) : (
          text !== '' && (
            <div class="prose">
              <Text value={text} />
            </div>
          )
        )}
        {children as JSX.Element[]}
      </div>
    </div>
  )
}

/** Lists names on one line. */
function listed(names: readonly string[]): string {
  return names.join(', ').slice(0, 120)
}

function jsonIn(text: string): object | undefined {
  const parsed: unknown = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
  return typeof parsed === 'object' && parsed !== null ? parsed : undefined
}
