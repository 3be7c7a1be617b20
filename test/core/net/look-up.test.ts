import { expect, test } from 'vitest'
import { lookUpBy } from '../../../src/core/net/look-up.ts'

const NEVER = new AbortController().signal

/** A stand-in for the resolver: what it answers to each question, or that it fails. */
function resolver(answers: Record<string, (Response | Error)[]>) {
  const asked: string[] = []
  const lookUp = lookUpBy((async (url: string) => {
    const { searchParams } = new URL(url)
    const type = searchParams.get('type') ?? ''
    asked.push(`${searchParams.get('name')} ${type}`)
    const answer = answers[type]?.shift() ?? Response.json({ Status: 0 })
    if (answer instanceof Error) throw answer
    return answer
  }) as typeof fetch)
  return { asked, lookUp }
}

const records = (...Answer: { type: number; data: string }[]) => Response.json({ Status: 0, Answer })

test('addresses of both kinds, whatever names lie between', async () => {
  const { lookUp, asked } = resolver({
    1: [records({ type: 5, data: 'cdn.example.com.' }, { type: 1, data: '93.184.216.34' })],
    28: [records({ type: 28, data: '2606:4700::1' })],
  })
  expect(await lookUp('api.example.com', NEVER)).toEqual(['93.184.216.34', '2606:4700::1'])
  expect(asked.toSorted()).toEqual(['api.example.com 1', 'api.example.com 28'])
})

test('a name that does not exist has none', async () => {
  const none = () => Response.json({ Status: 3 })
  expect(await resolver({ 1: [none()], 28: [none()] }).lookUp('a.example', NEVER)).toEqual([])
})

const BROKEN = [
  new Error('cut'),
  new Response('no', { status: 503 }),
  Response.json({ Status: 2 }),
  new Response('?'),
]

test.each(BROKEN.map((answer) => [answer] as const))(
  'one failed question is asked again: %o',
  async (answer) => {
    const { lookUp } = resolver({ 1: [answer, records({ type: 1, data: '93.184.216.34' })] })
    expect(await lookUp('a.example', NEVER)).toEqual(['93.184.216.34'])
  },
)

test.each(['1', '28'])('without an answer to type %s nothing is known', async (type) => {
  const { lookUp } = resolver({ [type]: [new Error('cut'), new Error('cut')] })
  await expect(lookUp('a.example', NEVER)).rejects.toThrow('cut')
})
