/**
 * The attributes of spans: OpenTelemetry's and goldenrun's own.
 *
 * `gen_ai.*` belongs to the semantic conventions for generative AI, which moved out of the general ones with v1.42.0:
 * open-telemetry/semantic-conventions-genai, schema gen-ai-dev/1.42.0-dev, status Development, as of November 2026. The rest belongs to the general
 * conventions, v1.44.0. Each attribute names its page.
 */
export const attribute = {
  /** docs/gen-ai/client-inference.md, execute-tool.md and gen-ai-agent-spans.md: required. `chat`, `generate_content`, `execute_tool`, `invoke_agent`. */
  operation: 'gen_ai.operation.name',
  /** docs/gen-ai/client-inference.md: required for a model call. `describe-span.ts` has the well-known values. */
  provider: 'gen_ai.provider.name',
  /** docs/gen-ai/gen-ai-agent-spans.md, span `gen_ai.invoke_agent.internal`. */
  agentName: 'gen_ai.agent.name',
  /** docs/gen-ai/gen-ai-agent-spans.md, span `gen_ai.invoke_agent.internal`. */
  agentVersion: 'gen_ai.agent.version',
  /** docs/gen-ai/gen-ai-agent-spans.md: only if the application names one. */
  conversation: 'gen_ai.conversation.id',
  /** docs/gen-ai/client-inference.md, span `gen_ai.client.inference`. */
  requestModel: 'gen_ai.request.model',
  /** docs/gen-ai/client-inference.md: if and only if the request asks for a stream. */
  requestStream: 'gen_ai.request.stream',
  /** docs/gen-ai/client-inference.md: may be more precise than the requested model. */
  responseModel: 'gen_ai.response.model',
  /** docs/gen-ai/client-inference.md: one for each received generation. */
  finishReasons: 'gen_ai.response.finish_reasons',
  /** docs/gen-ai/client-inference.md: for a stream, in seconds. */
  timeToFirstChunk: 'gen_ai.response.time_to_first_chunk',
  /** docs/gen-ai/client-inference.md: all input tokens, cached or not. */
  inputTokens: 'gen_ai.usage.input_tokens',
  /** docs/gen-ai/client-inference.md: including reasoning. */
  outputTokens: 'gen_ai.usage.output_tokens',
  /** docs/gen-ai/client-inference.md: part of the input tokens. */
  cacheReadTokens: 'gen_ai.usage.cache_read.input_tokens',
  /** docs/gen-ai/client-inference.md: part of the input tokens; called `cache_creation` up to v1.41. */
  cacheWriteTokens: 'gen_ai.usage.cache_write.input_tokens',
  /** docs/gen-ai/client-inference.md: part of the output tokens. */
  reasoningTokens: 'gen_ai.usage.reasoning.output_tokens',
  /** docs/gen-ai/execute-tool.md: required for a tool. */
  toolName: 'gen_ai.tool.name',
  /** docs/gen-ai/execute-tool.md: `function`, a tool that the client runs. */
  toolType: 'gen_ai.tool.type',
  /** docs/gen-ai/execute-tool.md: the id that the model gave the call. */
  toolCallId: 'gen_ai.tool.call.id',
  /** docs/gen-ai/execute-tool.md: opt-in, as JSON. */
  toolArguments: 'gen_ai.tool.call.arguments',
  /** docs/gen-ai/execute-tool.md: opt-in, as JSON. */
  toolResult: 'gen_ai.tool.call.result',
  /** docs/gen-ai/client-inference.md: opt-in, JSON as in gen-ai-system-instructions.json. */
  systemInstructions: 'gen_ai.system_instructions',
  /** docs/gen-ai/client-inference.md: opt-in, JSON as in gen-ai-input-messages.json. */
  inputMessages: 'gen_ai.input.messages',
  /** docs/gen-ai/client-inference.md: opt-in, JSON as in gen-ai-output-messages.json. */
  outputMessages: 'gen_ai.output.messages',
  /** docs/gen-ai/client-inference.md: opt-in, JSON. */
  toolDefinitions: 'gen_ai.tool.definitions',
  /** General v1.44.0, docs/general/recording-errors.md: the provider's or library's word, the status of an answer, or the error's name. */
  errorType: 'error.type',
  /** General v1.44.0, docs/registry/attributes/server.md. */
  serverAddress: 'server.address',
  /** General v1.44.0, docs/registry/attributes/server.md. */
  serverPort: 'server.port',
  /** General v1.44.0, docs/http/http-spans.md, HTTP client span. */
  httpMethod: 'http.request.method',
  /** General v1.44.0, docs/http/http-spans.md, HTTP client span. */
  httpStatus: 'http.response.status_code',
  /** General v1.44.0, docs/http/http-spans.md, HTTP client span. Redacted as the recording is. */
  url: 'url.full',
  /** General v1.44.0, docs/registry/attributes/code.md. */
  file: 'code.file.path',
  /** General v1.44.0, docs/registry/attributes/code.md. */
  line: 'code.line.number',
  /** General v1.44.0, docs/registry/attributes/code.md. */
  column: 'code.column.number',

  /** goldenrun's: the location of the run's recording, or of the golden that is replayed. */
  captureUri: 'replay.capture_uri',
  /** goldenrun's: false if nothing is stored there, because sampling left the run out or it could not be written. */
  isKept: 'replay.kept',
  /** goldenrun's: the step's number in the recording. */
  step: 'replay.step',
  /** goldenrun's: true on the event of a divergence. */
  divergence: 'replay.divergence',
  /** goldenrun's: why a replay diverged: `input`, `unexpected-call`, … */
  cause: 'replay.cause',
  /** goldenrun's: the call or checkpoint at which the replay diverged. */
  name: 'replay.name',
} as const
