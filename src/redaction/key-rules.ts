import { isPlaceholder } from './placeholder.ts'
import { plain } from './plain.ts'
import { mayStartKey } from './key-start.ts'
import { findPattern, type Rule } from './rule.ts'

/** A vendor's key: a fixed prefix, followed by enough characters that no word of a language matches. */
interface KeyShape {
  /** A part of every such key. */
  readonly hint: string
  /** The groups `start` and, if present, `end` stay. */
  readonly pattern: RegExp
}

/** Finds keys and tokens by the shapes that their vendors document. */
export const keyRules: readonly Rule[] = [
  toRule('private-key', {
    hint: 'PRIVATE',
    // A line break may be written as such, or as an escape of JSON or of a URL.
    pattern:
      /(?<start>-----BEGIN(?: |\+|%20)(?:[A-Z]+(?: |\+|%20)){0,3}PRIVATE(?: |\+|%20)KEY(?:(?: |\+|%20)BLOCK)?-----(?:\s|\\+[nr]|%0[AD]){0,8})(?:(?!-----)[\s\S]){1,16000}?(?<end>(?:\s|\\+[nr]|%0[AD]){0,8}-----END[A-Z0-9 +%]{1,60}-----)/g,
  }),
  toRule(
    'provider-key',
    key('-(?<=sk-)', 'sk-(?:ant-(?:(?:api|admin)\\d\\d-)?|proj-|or-v1-|svcacct-|admin-)?', '[A-Za-z0-9_-]{20,}'),
    key('z(?<=AIz)a', 'AIza', '[A-Za-z0-9_-]{35}'),
    key('_(?<=(?:gsk|hf|r8)_)|-(?<=(?:xai|pplx|nvapi)-)', 'gsk_|hf_|r8_|xai-|pplx-|nvapi-', '[A-Za-z0-9_-]{20,}'),
  ),
  toRule('payment-key', key('_(?:live|test)_|whsec_', '(?:sk|rk|pk)_(?:live|test)_|whsec_', '[A-Za-z0-9+/]{16,}={0,2}')),
  toRule('cloud-key', key('[KS](?<=A[KS])IA', '(?:AKIA|ASIA)(?=[A-Z0-9]{16}(?![A-Za-z0-9]))', '[A-Z0-9]{16}')),
  toRule(
    'code-host-token',
    key('_(?<=(?:gh[pousr]|github_pat|npm)_)|-(?<=glpat-)', 'gh[pousr]_|github_pat_|glpat-|npm_', '[A-Za-z0-9_-]{20,}'),
  ),
  toRule('chat-token', key('xox[abeprs]-|xapp-', 'xox[abeprs]-|xapp-', '[A-Za-z0-9-]{10,}')),
]

function key(hint: string, start: string, rest: string): KeyShape {
  return { hint, pattern: new RegExp(`(?<start>${start})${rest}`, 'g') }
}

/** Returns a rule for all shapes of a vendor's keys. */
function toRule(name: string, ...group: readonly KeyShape[]): Rule {
  return {
    name,
    hint: new RegExp(group.map(({ hint }) => hint).join('|')),
    *find(text) {
      for (const { pattern } of group) {
        for (const found of findPattern(text, pattern)) {
          const { start = 0, end = 0 } = found.kept ?? {}
          const rest = text.slice(found.start + start, found.end - end)
          if (isPlaceholder(rest) || !mayStartKey(text, found.start, text.slice(found.start, found.start + start), rest)) continue
          // In a form, the lines around a key have different spaces.
          yield end === 0 ? found : { ...found, identity: plain(rest) }
        }
      }
    },
  }
}
