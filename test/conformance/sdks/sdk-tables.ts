import type { InputPart } from '../../../src/divergence/divergence.ts'

/** Packages of a project, with their versions. The first names the rest. */
export type Packages = readonly [string, ...string[]]

/** What comes of a replay with a new version: it holds, it holds with drift of the client, or an input differs. */
export type UpgradeVerdict = 'held' | 'drift' | 'input'

/** An agent that is recorded with one version of its SDK and replayed with another. */
export interface Upgrade {
  /** Its file in `agents/`, without the ending. */
  readonly agent: string
  readonly from: Packages
  readonly to: Packages
  readonly expected: UpgradeVerdict
  /** Why, where it does not hold. */
  readonly because?: string
}

/** Two majors of each, or versions of two dates. */
export const upgrades: readonly Upgrade[] = [
  { agent: 'openai', from: ['openai@6.49.0'], to: ['openai@7.59.0'], expected: 'held' },
  {
    agent: 'google-genai',
    from: ['@google/genai@2.32.0'],
    to: ['@google/genai@3.3.0'],
    expected: 'drift',
    because: '`/v1beta/` is now `/v1/` in each path',
  },
  {
    agent: 'anthropic',
    from: ['@anthropic-ai/sdk@0.137.0'],
    to: ['@anthropic-ai/sdk@1.14.0'],
    expected: 'drift',
    because: 'another `anthropic-version`; the key moves from `x-api-key` to `authorization: Bearer`',
  },
  { agent: 'stripe', from: ['stripe@22.6.2'], to: ['stripe@23.1.0'], expected: 'drift', because: 'another `stripe-version`' },
  { agent: 'slack', from: ['@slack/web-api@7.19.0'], to: ['@slack/web-api@8.2.0'], expected: 'held' },
  {
    agent: 'ai',
    from: ['ai@6.0.326', '@ai-sdk/openai@3.0.141', '@ai-sdk/anthropic@3.0.140'],
    to: ['ai@7.0.173', '@ai-sdk/openai@4.0.118', '@ai-sdk/anthropic@4.0.105'],
    expected: 'held',
  },
  { agent: 'dynamodb', from: ['@aws-sdk/client-dynamodb@3.840.0'], to: ['@aws-sdk/client-dynamodb@3.1169.0'], expected: 'held' },
  { agent: 's3', from: ['@aws-sdk/client-s3@3.840.0'], to: ['@aws-sdk/client-s3@3.1175.0'], expected: 'held' },
  { agent: 'supabase', from: ['@supabase/supabase-js@2.95.3'], to: ['@supabase/supabase-js@2.119.1'], expected: 'held' },
  {
    agent: 'azure-blob',
    from: ['@azure/storage-blob@12.24.0'],
    to: ['@azure/storage-blob@12.34.0'],
    expected: 'drift',
    because: 'another `x-ms-version`',
  },
  { agent: 'octokit', from: ['@octokit/rest@20.1.2'], to: ['@octokit/rest@22.0.1'], expected: 'held' },
]

/** An agent, and harmful changes of it. */
export interface ChangedAgent {
  readonly agent: string
  readonly packages: Packages
  /** By what the agent calls it: the step that diverges, and the place that is reported. */
  readonly changes: Readonly<Record<string, { readonly step: number; readonly part: InputPart; readonly at: string }>>
}

/** The operation, the tenant, preconditions and preferences, and in whose name: what only headers say. */
export const changedAgents: readonly ChangedAgent[] = [
  {
    agent: 'dynamodb',
    packages: ['@aws-sdk/client-dynamodb@3.1169.0'],
    changes: { 'DeleteItem in place of GetItem': { step: 1, part: 'headers', at: 'headers["x-amz-target"]' } },
  },
  {
    agent: 'sqs',
    packages: ['@aws-sdk/client-sqs@3.1175.0'],
    changes: { 'DeleteMessage in place of ChangeMessageVisibility': { step: 2, part: 'headers', at: 'headers["x-amz-target"]' } },
  },
  {
    agent: 'kinesis',
    packages: ['@aws-sdk/client-kinesis@3.1143.0', '@smithy/node-http-handler@4.14.2'],
    changes: { 'DeleteStream in place of DescribeStream': { step: 2, part: 'headers', at: 'headers["x-amz-target"]' } },
  },
  {
    agent: 'tencent',
    packages: ['tencentcloud-sdk-nodejs-cvm@4.1.316'],
    changes: { 'TerminateInstances in place of StopInstances': { step: 2, part: 'headers', at: 'headers["x-tc-action"]' } },
  },
  {
    agent: 'dropbox',
    packages: ['dropbox@10.47.0'],
    changes: { 'another path': { step: 1, part: 'headers', at: 'headers["dropbox-api-arg"]' } },
  },
  {
    agent: 'openai',
    packages: ['openai@7.59.0'],
    changes: {
      'another organization': { step: 1, part: 'headers', at: 'headers["openai-organization"]' },
      'another project': { step: 1, part: 'headers', at: 'headers["openai-project"]' },
    },
  },
  {
    agent: 'stripe',
    packages: ['stripe@23.1.0'],
    changes: {
      'another account': { step: 2, part: 'headers', at: 'headers["stripe-account"]' },
      'another idempotency key': { step: 2, part: 'headers', at: 'headers["idempotency-key"]' },
      'another version of the API by hand': { step: 2, part: 'headers', at: 'headers["stripe-version"]' },
    },
  },
  {
    agent: 'xero',
    packages: ['xero-node@20.0.0'],
    changes: { 'another tenant': { step: 1, part: 'headers', at: 'headers["xero-tenant-id"]' } },
  },
  {
    agent: 'plaid',
    packages: ['plaid@47.0.0'],
    changes: { 'another client': { step: 1, part: 'headers', at: 'headers["plaid-client-id"]' } },
  },
  {
    agent: 'supabase',
    packages: ['@supabase/supabase-js@2.119.1'],
    changes: {
      'another schema': { step: 2, part: 'headers', at: 'headers["accept-profile"]' },
      'insert in place of upsert': { step: 3, part: 'headers', at: 'headers.prefer' },
    },
  },
  {
    agent: 's3',
    packages: ['@aws-sdk/client-s3@3.1175.0'],
    changes: {
      'another range': { step: 1, part: 'headers', at: 'headers.range' },
      'another source': { step: 2, part: 'headers', at: 'headers["x-amz-copy-source"]' },
      'no precondition': { step: 3, part: 'headers', at: 'headers["if-match"]' },
      public: { step: 3, part: 'headers', at: 'headers["x-amz-acl"]' },
    },
  },
  {
    agent: 'azure-blob',
    packages: ['@azure/storage-blob@12.34.0'],
    changes: {
      'another range': { step: 1, part: 'headers', at: 'headers["x-ms-range"]' },
      'no precondition': { step: 2, part: 'headers', at: 'headers["if-match"]' },
      'another tier': { step: 2, part: 'headers', at: 'headers["x-ms-access-tier"]' },
    },
  },
  {
    agent: 'google-storage',
    packages: ['@google-cloud/storage@8.4.0'],
    changes: { 'another range': { step: 1, part: 'headers', at: 'headers.range' } },
  },
  {
    agent: 'graph',
    packages: ['@microsoft/microsoft-graph-client@3.0.7'],
    changes: {
      'another preference': { step: 1, part: 'headers', at: 'headers.prefer' },
      'no consistency': { step: 1, part: 'headers', at: 'headers.consistencylevel' },
      'no precondition': { step: 2, part: 'headers', at: 'headers["if-match"]' },
    },
  },
  {
    agent: 'octokit',
    packages: ['@octokit/rest@22.0.1'],
    changes: {
      'another variable': { step: 2, part: 'credential', at: 'headers.authorization' },
      'no token': { step: 2, part: 'credential', at: 'headers.authorization' },
    },
  },
  {
    agent: 'slack',
    packages: ['@slack/web-api@8.2.0'],
    changes: {
      'two tokens of one answer swapped': { step: 2, part: 'credential', at: 'headers.authorization' },
      'the token of an administrator': { step: 2, part: 'credential', at: 'headers.authorization' },
      'a constant': { step: 2, part: 'credential', at: 'headers.authorization' },
      'no token': { step: 3, part: 'credential', at: 'headers.authorization' },
    },
  },
  {
    agent: 'linear',
    packages: ['@linear/sdk@98.0.0'],
    changes: {
      'another variable': { step: 2, part: 'credential', at: 'headers.authorization' },
      'another scheme': { step: 2, part: 'credential', at: 'headers.authorization' },
    },
  },
  {
    agent: 'ai',
    packages: ['ai@7.0.173', '@ai-sdk/openai@4.0.118', '@ai-sdk/anthropic@4.0.105'],
    changes: { 'the key of another provider': { step: 3, part: 'credential', at: 'headers["x-api-key"]' } },
  },
]

/**
 * What an agent uses of a response beside its JSON body:
 *
 * - `headers`: ids, metadata, or the next page;
 * - `retry`: what decides whether and when a call is sent again: a header, the status or its text;
 * - `length`: the length of a body in which redaction changes an e-mail address, read with `http.request`;
 * - `digest`: a digest of such a body, which the client or the agent checks. The body of SQS has no address: its digest is within the body;
 * - `cookies`: a session;
 * - `upload`: where an upload goes on;
 * - `stream`: events or lines, after the last of which the connection is closed;
 * - `host`: a response of a host that looks like one for telemetry, where a model, a prompt, a flag or a figure is read.
 */
export type ResponseUse = 'headers' | 'retry' | 'length' | 'digest' | 'cookies' | 'upload' | 'stream' | 'host'

/** An agent that uses what a response has beside its JSON body, and harmful changes of it. */
export interface ResponseAgent extends ChangedAgent {
  readonly uses: readonly [ResponseUse, ...ResponseUse[]]
}

/** What an agent gets back: at least three SDKs of each use. */
export const responseAgents: readonly ResponseAgent[] = [
  {
    agent: 'octokit-pages',
    packages: ['@octokit/rest@22.0.1'],
    uses: ['headers'],
    changes: {
      'closed issues': { step: 1, part: 'url', at: 'query.state' },
      'the first issue': { step: 3, part: 'url', at: 'url' },
    },
  },
  {
    agent: 'gitbeaker',
    packages: ['@gitbeaker/rest@43.8.0'],
    uses: ['headers', 'retry'],
    changes: {
      'the last page': { step: 3, part: 'url', at: 'query.page' },
      'another issue': { step: 4, part: 'url', at: 'url' },
    },
  },
  {
    agent: 'shopify',
    packages: ['@shopify/shopify-api@15.0.0'],
    uses: ['headers', 'retry'],
    changes: {
      'no next page': { step: 3, part: 'url', at: 'query.page_info' },
      'another order': { step: 4, part: 'body', at: 'body.draft_order.note' },
    },
  },
  {
    agent: 'azure-metadata',
    packages: ['@azure/storage-blob@12.34.0'],
    uses: ['headers', 'retry'],
    changes: {
      'another state': { step: 3, part: 'headers', at: 'headers["x-ms-meta-state"]' },
      'no precondition': { step: 3, part: 'headers', at: 'headers["if-match"]' },
    },
  },
  {
    agent: 'octokit-throttling',
    packages: ['@octokit/core@7.0.8', '@octokit/plugin-throttling@11.0.5'],
    uses: ['retry', 'headers'],
    changes: {
      'another issue': { step: 1, part: 'url', at: 'url' },
      'another comment': { step: 4, part: 'body', at: 'body.body' },
    },
  },
  {
    agent: 'anthropic-retry',
    packages: ['@anthropic-ai/sdk@1.14.0'],
    uses: ['retry', 'headers', 'stream'],
    changes: {
      'another question': { step: 3, part: 'messages', at: 'messages[0].content' },
      'another amount': { step: 4, part: 'messages', at: 'messages[0].content' },
    },
  },
  {
    agent: 'groq',
    packages: ['groq-sdk@1.6.0'],
    uses: ['retry', 'headers', 'stream'],
    changes: {
      'no limit': { step: 3, part: 'sampling', at: 'max_completion_tokens' },
    },
  },
  {
    agent: 'cohere',
    packages: ['cohere-ai@8.1.0'],
    uses: ['retry', 'headers', 'stream'],
    changes: {
      'another question': { step: 3, part: 'messages', at: 'messages[0].content' },
    },
  },
  {
    agent: 'phin',
    packages: ['phin@4.0.0'],
    uses: ['length', 'headers'],
    changes: {
      'another customer': { step: 1, part: 'url', at: 'url' },
      'another address': { step: 2, part: 'body', at: 'body.to' },
    },
  },
  {
    agent: 'twilio',
    packages: ['twilio@6.3.1'],
    uses: ['length', 'headers'],
    changes: {
      'another channel': { step: 1, part: 'body', at: 'body.Channel' },
      'another code': { step: 2, part: 'body', at: 'body.Code' },
    },
  },
  {
    agent: 'people',
    packages: ['@googleapis/people@12.0.1'],
    uses: ['length', 'retry', 'headers'],
    changes: {
      'another person': { step: 1, part: 'url', at: 'url' },
      'another address': { step: 3, part: 'body', at: 'body.emailAddresses[0].value' },
    },
  },
  {
    agent: 'sqs-digest',
    packages: ['@aws-sdk/client-sqs@3.1175.0'],
    uses: ['digest', 'headers'],
    changes: {
      'no wait': { step: 1, part: 'body', at: 'body.WaitTimeSeconds' },
      'another message': { step: 2, part: 'body', at: 'body.ReceiptHandle' },
    },
  },
  {
    agent: 'dynamodb-crc32',
    packages: ['aws-sdk@2.1693.0'],
    uses: ['digest', 'length', 'retry'],
    changes: {
      'another item': { step: 1, part: 'body', at: 'body.Key.id.S' },
      'another address': { step: 3, part: 'body', at: 'body.Item.to.S' },
    },
  },
  {
    agent: 's3-checksum',
    packages: ['@aws-sdk/client-s3@3.1175.0'],
    uses: ['digest', 'length', 'headers'],
    changes: {
      'another object': { step: 1, part: 'url', at: 'url' },
      'another text': { step: 2, part: 'body', at: 'body' },
    },
  },
  {
    agent: 'google-storage-digest',
    packages: ['@google-cloud/storage@8.4.0'],
    uses: ['digest', 'headers'],
    changes: {
      'another object': { step: 1, part: 'url', at: 'url' },
      'another value': { step: 3, part: 'body', at: 'body.metadata.read' },
    },
  },
  {
    agent: 'make-fetch-happen',
    packages: ['make-fetch-happen@16.0.1'],
    uses: ['digest', 'length', 'retry'],
    changes: {
      'another package': { step: 1, part: 'url', at: 'url' },
      'another version': { step: 3, part: 'body', at: 'body.version' },
    },
  },
  {
    agent: 'fetch-cookie',
    packages: ['fetch-cookie@3.2.0'],
    uses: ['cookies'],
    changes: {
      'no session': { step: 3, part: 'credential', at: 'headers.cookie' },
      'another token': { step: 3, part: 'credential', at: 'headers["x-csrf-token"]' },
    },
  },
  {
    agent: 'http-cookie-agent',
    packages: ['http-cookie-agent@8.0.0', 'tough-cookie@6.1.0', 'undici@8.13.1'],
    uses: ['cookies'],
    changes: {
      'no session': { step: 2, part: 'credential', at: 'headers.cookie' },
      'the old session': { step: 3, part: 'credential', at: 'headers.cookie.session' },
    },
  },
  {
    agent: 'nano',
    packages: ['nano@11.0.7'],
    uses: ['cookies', 'headers'],
    changes: {
      'no session': { step: 2, part: 'credential', at: 'headers.cookie' },
      'another revision': { step: 3, part: 'body', at: 'body._rev' },
    },
  },
  {
    agent: 'google-storage-upload',
    packages: ['@google-cloud/storage@8.4.0'],
    uses: ['upload'],
    changes: {
      'another object': { step: 1, part: 'url', at: 'query.name' },
      'another end': { step: 3, part: 'body', at: 'body' },
    },
  },
  {
    agent: 'graph-upload',
    packages: ['@microsoft/microsoft-graph-client@3.0.7'],
    uses: ['upload'],
    changes: {
      'another message': { step: 1, part: 'url', at: 'url' },
      'another end': { step: 3, part: 'body', at: 'body' },
      'another attachment': { step: 4, part: 'url', at: 'url' },
    },
  },
  {
    agent: 'vimeo',
    packages: ['@vimeo/vimeo@3.0.3'],
    uses: ['upload', 'length', 'headers'],
    changes: {
      'another name': { step: 1, part: 'body', at: 'body.name' },
      'another video': { step: 3, part: 'body', at: 'body' },
    },
  },
  {
    agent: 'eventsource',
    packages: ['eventsource@5.1.5'],
    uses: ['stream', 'headers'],
    changes: {
      'another topic': { step: 1, part: 'url', at: 'query.of' },
      'another event': { step: 2, part: 'body', at: 'body.last' },
    },
  },
  {
    agent: 'ollama',
    packages: ['ollama@0.6.4'],
    uses: ['stream'],
    changes: {
      'another pull': { step: 1, part: 'body', at: 'body.name' },
      'another question': { step: 3, part: 'messages', at: 'messages[2].content' },
    },
  },
  {
    agent: 'portkey',
    packages: ['portkey-ai@3.1.0'],
    uses: ['host', 'retry', 'headers', 'stream'],
    changes: {
      'another config': { step: 1, part: 'headers', at: 'headers["x-portkey-config"]' },
      'another question': { step: 3, part: 'messages', at: 'messages[2].content' },
    },
  },
  {
    agent: 'langsmith',
    packages: ['langsmith@0.12.0'],
    uses: ['host', 'retry'],
    changes: {
      'another text': { step: 3, part: 'body', at: 'body.text' },
    },
  },
  {
    agent: 'datadog',
    packages: ['@datadog/datadog-api-client@1.64.0'],
    uses: ['host', 'length', 'retry'],
    changes: {
      'another metric': { step: 1, part: 'url', at: 'query.query' },
      'another user': { step: 4, part: 'body', at: 'body.message' },
    },
  },
  {
    agent: 'unleash',
    packages: ['unleash-client@6.12.1'],
    uses: ['host'],
    changes: {
      'another user': { step: 2, part: 'url', at: 'url' },
    },
  },
]
