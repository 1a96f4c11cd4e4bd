import Instructor from '@instructor-ai/instructor'
import { Mistral } from '@mistralai/mistralai'
import { Octokit } from '@octokit/rest'
import { Pinecone } from '@pinecone-database/pinecone'
import { createClient } from '@supabase/supabase-js'
import { wrapClient } from 'goldenrun'
import Groq from 'groq-sdk'
import nodemailer from 'nodemailer'
import OpenAI, { AzureOpenAI } from 'openai'
import Stripe from 'stripe'
import Together from 'together-ai'
import { z } from 'zod'

const system = { role: 'system', content: 'Answer about orders.' }
const apiKey = 'key-of-nobody'
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** Asks, and asks again with the first answer in the conversation. */
async function converse(ask, question) {
  const messages = [system, { role: 'user', content: question }]
  const first = await ask(messages)
  const second = await ask([...messages, { role: 'assistant', content: first }, { role: 'user', content: 'Are you sure?' }])
  return [first, second]
}

const mailer = ({ smtp }) => nodemailer.createTransport({ host: '127.0.0.1', port: smtp, secure: false, ignoreTLS: true })

async function sendMail(mail, spell) {
  const { accepted, response } = await mail.sendMail({
    from: 'shop@example.com',
    to: 'ann@example.com',
    subject: spell('ord_1'),
    text: 'It is on its way.',
  })
  return [accepted, response]
}

/** Mail that nothing makes a step of. */
export const bareMail = (input, spell) => sendMail(mailer(input), spell)

/** Each is given where the world is, and how an order's id is spelled. */
export const agents = {
  azure: async ({ base }, spell) => {
    const client = new AzureOpenAI({ endpoint: base, apiKey, apiVersion: '2026-10-01', deployment: 'small' })
    const ask = async (messages) => (await client.chat.completions.create({ model: 'small', messages })).choices[0].message.content
    return converse(ask, `Where is ${spell('ord_1')}?`)
  },
  groq: async ({ base }, spell) => {
    const client = new Groq({ baseURL: base, apiKey })
    const ask = async (messages) => (await client.chat.completions.create({ model: 'small', messages })).choices[0].message.content
    return converse(ask, `Where is ${spell('ord_1')}?`)
  },
  instructor: async ({ base }, spell) => {
    const client = Instructor({ client: new OpenAI({ baseURL: `${base}/v1`, apiKey }), mode: 'JSON' })
    const messages = [{ role: 'user', content: `Where is ${spell('ord_1')}?` }]
    const found = await client.chat.completions.create({
      model: 'json',
      messages,
      response_model: { schema: z.object({ status: z.string() }), name: 'Order' },
    })
    return found.status
  },
  mistral: async ({ base }, spell) => {
    const client = new Mistral({ serverURL: base, apiKey })
    const ask = async (messages) => (await client.chat.complete({ model: 'small', messages })).choices[0].message.content
    return converse(ask, `Where is ${spell('ord_1')}?`)
  },
  nodemailer: (input, spell) => sendMail(wrapClient('mail', mailer(input)), spell),
  octokit: async ({ base }, spell) => {
    const github = new Octokit({ baseUrl: base, auth: apiKey, log: quiet })
    const { data: issue } = await github.rest.issues.get({ owner: 'shop', repo: 'orders', issue_number: 1 })
    const { data: comment } = await github.rest.issues.createComment({
      owner: 'shop',
      repo: 'orders',
      issue_number: issue.number,
      body: spell('ord_1'),
    })
    return comment.id
  },
  pinecone: async ({ base }, spell) => {
    const index = new Pinecone({ apiKey }).index({ name: 'orders', host: base })
    const { matches } = await index.query({ vector: [0.5, 0.25], topK: 1, filter: { id: spell('ord_1') } })
    return matches.map(({ id, score }) => [id, score])
  },
  stripe: async ({ port }, spell) => {
    const stripe = new Stripe(apiKey, { host: '127.0.0.1', port, protocol: 'http', telemetry: false })
    const charge = await stripe.charges.retrieve('ch_1')
    const refund = await stripe.refunds.create({ charge: charge.id, metadata: { order: spell('ord_1') } })
    return [charge.amount, refund.status]
  },
  supabase: async ({ base }, spell) => {
    const db = createClient(base, apiKey, { auth: { persistSession: false, autoRefreshToken: false } })
    const { data, error } = await db.from('orders').select('id, status').eq('id', spell('ord_1'))
    if (error !== null) throw error
    return data
  },
  together: async ({ base }, spell) => {
    const client = new Together({ baseURL: base, apiKey })
    const ask = async (messages) => (await client.chat.completions.create({ model: 'small', messages })).choices[0].message.content
    return converse(ask, `Where is ${spell('ord_1')}?`)
  },
}
