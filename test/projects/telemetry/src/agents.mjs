import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import * as launchDarkly from '@launchdarkly/node-server-sdk'
import * as amplitude from '@amplitude/analytics-node'
import { Analytics } from '@segment/analytics-node'
import { GrowthBookClient } from '@growthbook/growthbook'
import { Langfuse } from 'langfuse'
import { Client, RunTree } from 'langsmith'
import OpenAI from 'openai'
import { PostHog } from 'posthog-node'
import { tool } from 'goldenrun'

const look = tool('look', { effect: 'read' }, async (order) => ({ order, status: 'packed' }))

/** Agents that hand telemetry over so many times, around a tool. */
export const telemetry = {
  async posthog(url, times) {
    const client = new PostHog('phc_x', { host: url })
    for (let time = 0; time < times; time += 1) {
      client.capture({ distinctId: 'user_1', event: `looked ${time}` })
      await client.flush()
    }
    const found = await look('ord_1')
    await client.shutdown()
    return found
  },
  async langfuse(url, times) {
    const client = new Langfuse({ publicKey: 'pk', secretKey: 'sk', baseUrl: url })
    for (let time = 0; time < times; time += 1) {
      client.trace({ name: `look ${time}` })
      await client.flushAsync()
    }
    return await look('ord_1')
  },
  async langsmith(url, times) {
    const client = new Client({ apiUrl: url, apiKey: 'k', autoBatchTracing: false })
    for (let time = 0; time < times; time += 1) {
      const run = new RunTree({ name: `look ${time}`, run_type: 'tool', inputs: {}, client, project_name: 'p' })
      await run.postRun()
      await run.end({ status: 'packed' })
      await run.patchRun()
    }
    return await look('ord_1')
  },
  async segment(url, times) {
    const client = new Analytics({ writeKey: 'k', host: url })
    for (let time = 0; time < times; time += 1) client.track({ userId: 'user_1', event: `looked ${time}` })
    const found = await look('ord_1')
    await client.closeAndFlush({ timeout: 5000 })
    return found
  },
  async amplitude(url, times) {
    const client = amplitude.createInstance()
    await client.init('key', { serverUrl: `${url}/2/httpapi`, logLevel: amplitude.Types.LogLevel.None }).promise
    for (let time = 0; time < times; time += 1) {
      client.track(`looked ${time}`, {}, { user_id: 'user_1' })
      await client.flush().promise
    }
    return await look('ord_1')
  },
  async opentelemetry(url, times) {
    const provider = new NodeTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url: `${url}/v1/traces`, compression: 'gzip' }))],
    })
    for (let time = 0; time < times; time += 1) {
      provider.getTracer('agent').startSpan(`look ${time}`).end()
      await provider.forceFlush()
    }
    return await look('ord_1')
  },
}

/** Agents that read from a store of prompts or flags, for a user. */
export const reads = {
  async posthog(url, user) {
    const client = new PostHog('phc_x', { host: url })
    const flag = (await client.evaluateFlags(user)).getFlag('new-tool')
    await client.shutdown()
    return flag
  },
  async langfuse(url, user) {
    const client = new Langfuse({ publicKey: 'pk', secretKey: 'sk', baseUrl: url })
    const prompt = await client.getPrompt(user === 'user_1' ? 'support' : 'sales')
    return prompt.compile({ tone: 'kind' })
  },
  async langsmith(url, user) {
    const client = new Client({ apiUrl: url, apiKey: 'k' })
    const { manifest } = await client.pullPromptCommit(user === 'user_1' ? 'support' : 'sales')
    return manifest
  },
  async launchdarkly(url, user) {
    const client = launchDarkly.init('sdk-x', {
      baseUri: url,
      eventsUri: url,
      stream: false,
      diagnosticOptOut: true,
      logger: launchDarkly.basicLogger({ level: 'none' }),
    })
    await client.waitForInitialization({ timeout: 5 })
    const flag = await client.variation('new-tool', { kind: 'user', key: user }, 'none')
    await client.flush().catch(() => {})
    client.close()
    return flag
  },
  async growthbook(url, user) {
    const client = new GrowthBookClient({ apiHost: url, clientKey: user === 'user_1' ? 'sdk-abc' : 'sdk-def' })
    await client.init({ timeout: 5000 })
    return client.getFeatureValue('new-tool', 'none', { attributes: { id: user } })
  },
}

/** Agents that ask something of a product at its own host, or at the host of its gateway. */
export const calls = {
  async helicone(url, user) {
    return await ask(url.replace('127.0.0.1', 'oai.helicone.ai'), user)
  },
  async braintrust(url, user) {
    return await ask(url.replace('127.0.0.1', 'gateway.braintrust.dev'), user)
  },
  async datadog(url, user) {
    const body = JSON.stringify({ filter: { query: `@usr.id:${user}` } })
    const response = await fetch(`${url.replace('127.0.0.1', 'api.datadoghq.com')}/api/v2/logs/events/search`, { method: 'POST', body })
    return await response.json()
  },
  async posthog(url, user) {
    const body = JSON.stringify({ query: { kind: 'HogQLQuery', query: `select count() from events where distinct_id = '${user}'` } })
    const response = await fetch(`${url.replace('127.0.0.1', 'us.posthog.com')}/api/projects/1/query/`, { method: 'POST', body })
    return await response.json()
  },
  async sentry(url, user) {
    const response = await fetch(`${url.replace('127.0.0.1', 'sentry.io')}/api/0/issues/?query=user.id:${user}`)
    return await response.json()
  },
}

async function ask(url, user) {
  const client = new OpenAI({ apiKey: 'k', baseURL: `${url}/v1` })
  const { choices } = await client.chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'user', content: `I am ${user}` }] })
  return choices[0].message.content
}
