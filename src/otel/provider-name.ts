import type { StepEvent } from '../record/telemetry/telemetry-events.ts'
import { hostnameOf } from './server.ts'

/** The well-known values of `gen_ai.provider.name` (docs/gen-ai/client-inference.md, see `attributes.ts`), by the names that providers have here where those are others. */
const WELL_KNOWN: ReadonlyMap<string, string> = new Map([
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['google', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['xai', 'x_ai'],
])

/** The provider of a model call, by its host; of a host that is nobody's we know, as a gateway's, the one whose API it speaks. */
export function providerName({ name, http, model }: StepEvent): string {
  const provider = model?.request.provider ?? ''
  const isKnown = provider !== '' && provider !== hostnameOf(http?.url)
  const own = isKnown ? provider : name.slice(0, name.indexOf('.'))
  return WELL_KNOWN.get(own) ?? own
}
