import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

/** What it was asked, by address. */
export const asked: string[] = []

// Listens when this module is loaded.
export const server = setupServer(
  http.get('http://127.0.0.1:4020/orders/:id', ({ request }) => {
    asked.push(request.url)
    return HttpResponse.json({ id: 'ord_1', item: 'Something else' })
  }),
  http.get('https://shop.example/status', () => HttpResponse.text('open')),
)
server.listen({ onUnhandledFrame: 'error' })
