import { type Attributes, SpanKind } from '@opentelemetry/api'
import { hostnameOf } from '../models/url-path.ts'
import type { StopReason } from '../models/dialect.ts'
import type { StartedStep } from '../record/telemetry/telemetry.ts'
import type { StepEvent } from '../record/telemetry/telemetry-events.ts'
import { attribute } from './attributes.ts'
import { MESSAGE_REASONS, messageAttributes } from './messages.ts'

/** The name, kind and attributes of a span. */
export interface SpanDescription {
  readonly name: string
  readonly kind: SpanKind
  readonly attributes: Attributes
}

/** OpenAI's words for why a model stopped. The conventions' examples use them. */
const FINISH_REASONS: Readonly<Record<StopReason, string>> = { ...MESSAGE_REASONS, 'tool-calls': 'tool_calls' }

/** Describes a tool or an external when it is called. */
export function describeStarted({ step, boundary, name }: StartedStep): SpanDescription {
  if (boundary !== 'tool') return { name, kind: SpanKind.INTERNAL, attributes: { [attribute.step]: step } }
  const attributes = { [attribute.operation]: 'execute_tool', [attribute.toolName]: name, [attribute.toolType]: 'function' }
  return { name: `execute_tool ${name}`, kind: SpanKind.INTERNAL, attributes: { ...attributes, [attribute.step]: step } }
}

/** Describes a finished step. */
export function describeStep(step: StepEvent): SpanDescription {
  if (step.model !== undefined) return describeModelCall(step, step.model)
  if (step.http !== undefined) return describeExchange(step, step.http)
  const { name, kind, attributes } = describeStarted(step)
  const { toolCallId, content } = step
  return {
    name,
    kind,
    attributes: {
      ...attributes,
      ...errorAttributes(step),
      ...(toolCallId === undefined ? {} : { [attribute.toolCallId]: toolCallId }),
      ...(content?.input === undefined ? {} : { [attribute.toolArguments]: content.input }),
      ...(content?.output === undefined ? {} : { [attribute.toolResult]: content.output }),
    },
  }
}

function describeModelCall(step: StepEvent, { request, answer, firstAt, content }: NonNullable<StepEvent['model']>): SpanDescription {
  const { model, stream } = request
  const operation = step.name === 'gemini.content' ? 'generate_content' : 'chat'
  const { model: answeredBy, stopReason, usage } = answer ?? {}
  const attributes: Attributes = {
    [attribute.operation]: operation,
    [attribute.provider]: providerName(step),
    ...(model === '' ? {} : { [attribute.requestModel]: model }),
    ...(stream && { [attribute.requestStream]: true }),
    ...serverAttributes(step.http?.url ?? ''),
    ...(answeredBy === undefined ? {} : { [attribute.responseModel]: answeredBy }),
    ...(stopReason === undefined ? {} : { [attribute.finishReasons]: [FINISH_REASONS[stopReason]] }),
    ...(stream && firstAt !== undefined && { [attribute.timeToFirstChunk]: (firstAt - step.at) / 1000 }),
    ...(usage && usageAttributes(usage)),
    ...errorAttributes(step),
    [attribute.step]: step.step,
    ...(content && messageAttributes(content)),
  }
  return { name: model === '' ? operation : `${operation} ${model}`, kind: SpanKind.CLIENT, attributes }
}

/** Returns the usage details that apply. */
function usageAttributes(usage: Usage): Attributes {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage
  return {
    [attribute.inputTokens]: inputTokens,
    [attribute.outputTokens]: outputTokens,
    ...(cacheReadTokens > 0 && { [attribute.cacheReadTokens]: cacheReadTokens }),
    ...(cacheWriteTokens > 0 && { [attribute.cacheWriteTokens]: cacheWriteTokens }),
    ...(reasoningTokens > 0 && { [attribute.reasoningTokens]: reasoningTokens }),
  }
}

type Usage = NonNullable<NonNullable<NonNullable<StepEvent['model']>['answer']>['usage']>

function describeExchange(step: StepEvent, { method, url, status }: NonNullable<StepEvent['http']>): SpanDescription {
  return {
    name: method,
    kind: SpanKind.CLIENT,
    attributes: {
      [attribute.httpMethod]: method,
      [attribute.url]: url,
      ...serverAttributes(url),
      ...(status === undefined ? {} : { [attribute.httpStatus]: status }),
      ...errorAttributes(step),
      [attribute.step]: step.step,
    },
  }
}

function errorAttributes({ error }: StepEvent): Attributes {
  return error === undefined ? {} : { [attribute.errorType]: error.type }
}

/**
 * The well-known values of `gen_ai.provider.name` (docs/gen-ai/client-inference.md, see `attributes.ts`), by goldenrun's names for providers, where
 * the two differ.
 */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['google', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['xai', 'x_ai'],
])

/** Returns the provider of a model call by its host. For an unknown host, such as a gateway, returns the provider whose API it speaks. */
export function providerName({ name, http, model }: StepEvent): string {
  const provider = model?.request.provider ?? ''
  const isKnown = provider !== '' && provider !== hostnameOf(http?.url ?? '')
  const own = isKnown ? provider : name.slice(0, name.indexOf('.'))
  return WELL_KNOWN.get(own) ?? own
}

/** Returns the attributes of the server in a URL. */
function serverAttributes(url: string): Attributes {
  if (!URL.canParse(url)) return {}
  const { hostname, port, protocol } = new URL(url)
  if (hostname === '') return {}
  const usual = protocol === 'https:' ? 443 : 80
  return { [attribute.serverAddress]: hostname, [attribute.serverPort]: port === '' ? usual : Number(port) }
}
