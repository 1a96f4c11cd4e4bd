import { isPlaceholder } from './placeholder.ts'
import { plain } from './plain.ts'
import { mayStartKey } from './key-start.ts'
import { findPattern, type Rule } from './rule.ts'

/** A key of a vendor: a fixed prefix and enough characters behind it that no word of a language is taken for one. */
interface KeyShape {
  /** What is in every such key. */
  readonly hint: string
  /** The group `start` stays, and `end`, where there is one. */
  readonly pattern: RegExp
}

/** Keys and tokens by the shapes that their vendors document. */
export const keyRules: readonly Rule[] = [
  toRule('private-key', {
    hint: 'PRIVATE',
    // A line break is one, or its escape in JSON or in a URL.
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

/** A vendor's keys, in all their shapes. */
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
          // The lines around a key are written with other spaces in a form.
          yield end === 0 ? found : { ...found, identity: plain(rest) }
        }
      }
    },
  }
}
