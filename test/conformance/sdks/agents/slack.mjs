import { WebClient } from '@slack/web-api'

export const keys = ['SLACK_CLIENT_SECRET', 'SLACK_ADMIN_TOKEN']

export function answer({ url }) {
  if (url.endsWith('oauth.v2.access'))
    return {
      body: { ok: true, access_token: 'xoxb-111-of-the-bot-4f2a', authed_user: { id: 'U1', access_token: 'xoxp-222-of-the-user-9c1d' } },
    }
  return { body: { ok: true, ts: '1790000000.000100', channel: 'C1', profile: { status_text: 'away' } } }
}

/** Exchanges a code for the tokens of a bot and a user, writes as the bot, and sets the status of the user. */
export async function agent({ base, change }) {
  const options = { slackApiUrl: `${base}/api/`, retryConfig: { retries: 0 } }
  const client = { client_id: '1.2', client_secret: process.env.SLACK_CLIENT_SECRET }
  const access = await new WebClient(undefined, options).oauth.v2.access({ code: 'code-1', ...client })
  const bot = access.access_token
  const user = access.authed_user.access_token
  const others = {
    'two tokens of one answer swapped': user,
    'the token of an administrator': process.env.SLACK_ADMIN_TOKEN,
    'a constant': 'xoxb-333-of-nobody-7e5b',
  }
  const writer = others[change] ?? bot
  const { chat } = new WebClient(writer, options)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- It is a method of Slack's, not of a window.
  const posted = await chat.postMessage({ channel: 'C1', text: 'ord_1 is packed' })
  const profile = new WebClient(change === 'no token' ? undefined : user, options).users.profile
  const set = await profile.set({ profile: { status_text: 'away' } })
  return [posted.ts, set.ok]
}
