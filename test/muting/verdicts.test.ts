import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ingestionRequests } from '../../src/http/telemetry/ingestion-requests.ts'
import { judgeTelemetry } from '../../src/http/telemetry/judge-telemetry.ts'
import { createMuting, isMutedCall } from '../../src/http/telemetry/muting.ts'
import { bodyFromBytes } from '../../src/trace/body.ts'
import { storeReads } from '../../src/trace/store-reads.ts'
import { decodedBody } from '../../src/http/decode-body.ts'
import { headerValue } from '../../src/http/headers.ts'
import { callsOfAgents, telemetryRequests } from './sent-requests.ts'

describe('a request of an SDK', () => {
  it.each(telemetryRequests.map((request) => [`${request.sdk} ${request.method} ${request.path}`, request] as const))(
    'is telemetry on any host: %s',
    (_, { method, path, headers, body }) => {
      expect(judgeTelemetry({ method, url: `http://127.0.0.1:4100${path}`, headers, ready: { body } })).toBe('muted')
    },
  )

  it.each(telemetryRequests.map((request) => [`${request.sdk} ${request.method} ${request.path}`, request] as const))(
    'is never recorded before its body is known: %s',
    (_, { method, path, headers }) => {
      expect(judgeTelemetry({ method, url: `http://127.0.0.1:4100${path}`, headers })).not.toBe('recorded')
    },
  )
})

describe('a call of an agent', () => {
  it.each(callsOfAgents)('is recorded: %s', (_, { method, url, headers, body }) => {
    expect(judgeTelemetry({ method, url, headers, ready: { body } })).toBe('recorded')
    // In a trace, its body is decoded and parsed.
    const sent = typeof headers === 'function' ? headers() : headers
    const bytes = decodedBody(
      typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array()),
      headerValue(sent, 'content-encoding'),
    )
    expect(isMutedCall({ boundary: 'http', input: { method, url, headers: sent, ...bodyFromBytes(bytes) } }, judgeTelemetry)).toBe(false)
  })

  it('is recorded when its body cannot be parsed', () => {
    const headers = [['content-encoding', 'gzip']] as const
    for (const body of ['{"resourceSpans":[', new Uint8Array([0x0a, 0xff]), new Uint8Array([0x1f, 0x8b]), '', undefined])
      expect(judgeTelemetry({ method: 'POST', url: 'https://ship.example/v1/traces', headers, ready: { body } })).toBe('recorded')
  })
})

describe('a name of the project', () => {
  const judge = (muting: ReturnType<typeof createMuting>, url: string): string => muting({ method: 'GET', url, headers: [] })

  it('mutes a host with its subdomains, with its port or without', () => {
    const muting = createMuting({ mute: ['telemetry.example', '127.0.0.1:81'], record: [] })
    const muted = ['https://telemetry.example/a', 'https://eu.telemetry.example:8443/', 'http://127.0.0.1:81/x']
    expect(muted.map((url) => judge(muting, url))).toEqual(['muted', 'muted', 'muted'])
    expect(judge(muting, 'https://nottelemetry.example/')).toBe('recorded')
    expect(judge(muting, 'http://127.0.0.1:8101/')).toBe('recorded')
  })

  it('mutes the requests below a URL, by whole segments', () => {
    const muting = createMuting({ mute: ['https://api.example/v1/track'], record: [] })
    const urls = [
      'https://api.example/v1/track',
      'https://api.example/v1/track/',
      'https://api.example/v1/track/a?b=c',
      'http://api.example/v1/track?x',
    ]
    expect(urls.map((url) => judge(muting, url))).toEqual(['muted', 'muted', 'muted', 'muted'])
    const others = [
      'https://api.example/v1/tracker',
      'https://api.example/v1',
      'https://api.example:8443/v1/track',
      'https://eu.api.example/v1/track',
    ]
    expect(others.map((url) => judge(muting, url))).toEqual(['recorded', 'recorded', 'recorded', 'recorded'])
  })

  it('records telemetry, and wins over what is muted', () => {
    const request = { method: 'POST', url: 'https://logs.example/loki/api/v1/push', headers: [] }
    expect(createMuting({ mute: [], record: [] })(request)).toBe('muted')
    expect(createMuting({ mute: [], record: ['https://logs.example/loki'] })(request)).toBe('recorded')
    expect(createMuting({ mute: ['logs.example'], record: ['https://logs.example/loki'] })(request)).toBe('recorded')
    expect(createMuting({ mute: ['logs.example'], record: ['https://logs.example/query'] })(request)).toBe('muted')
  })
})

describe('docs/muted.md', () => {
  const page = readFileSync(new URL('../../docs/muted.md', import.meta.url), 'utf8')
  const rowsBelow = (heading: string): string[] => {
    const [, section = ''] = page.split(`\n## ${heading}\n`)
    return (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:product|---)/.test(line))
  }
  const link = (source: string): string => `[source](${source})`

  it('has the requests that are muted', () => {
    const rows = ingestionRequests.map(({ product, method = 'POST', path, hosts = [], header, form, source }) => {
      const proofs = [
        ...hosts.map((host) => `host \`${host}\``),
        ...(header === undefined ? [] : [`header \`${header}\``]),
        ...(form === undefined ? [] : [form.words]),
      ]
      return `| ${product} | \`${method} ${path}\` | ${proofs.join('; or ')} | ${link(source)} |`.replaceAll('|  |', '| |')
    })
    expect(rowsBelow('Muted requests')).toEqual(rows)
  })

  it('has the requests that are ambient', () => {
    const rows = storeReads.map(({ method = 'GET', path, host, field }) => {
      const proofs = [...(host === undefined ? [] : [`host \`${host}\``]), ...(field === undefined ? [] : [`\`${field}\``])]
      return `\`${method} ${path}\` | ${proofs.join(', ')} |`.replaceAll('|  |', '| |')
    })
    expect(rowsBelow('Ambient requests').map((row) => row.slice(row.indexOf('`')))).toEqual(rows)
  })
})
