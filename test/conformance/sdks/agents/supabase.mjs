import { createClient } from '@supabase/supabase-js'

export const keys = ['SUPABASE_KEY']

export function answer({ method, url }) {
  if (url.startsWith('/auth/')) {
    const user = { id: '6b1f8f6e-6f5e-4a52-9d0c-1f2f3a4b5c6d', aud: 'authenticated', email: 'ann@example.com' }
    return { body: { access_token: 'token-of-ann-5d21c8', token_type: 'bearer', expires_in: 3600, refresh_token: 'again-of-ann-77', user } }
  }
  return { status: method === 'POST' ? 201 : 200, headers: { 'content-range': '0-0/41' }, body: [{ id: 1, name: 'a' }] }
}

/** Signs in, counts the notes, and writes one. */
export async function agent({ base, change }) {
  const schema = change === 'another schema' ? 'tenant_b' : 'tenant_a'
  const client = createClient(base, process.env.SUPABASE_KEY, { db: { schema }, auth: { persistSession: false, autoRefreshToken: false } })
  if (change !== 'not signed in') await client.auth.signInWithPassword({ email: 'ann@example.com', password: 'secret-of-ann' })
  const counted = await client.from('notes').select('*', { count: 'exact' }).limit(1)
  const row = { id: 1, name: 'a' }
  const notes = client.from('notes')
  const written = await (change === 'insert in place of upsert' ? notes.insert(row) : notes.upsert(row)).select()
  return [counted.count, written.data]
}
