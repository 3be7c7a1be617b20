import { Hono } from 'hono'
import { Form, Submit } from '../form.tsx'
import { Page } from '../page.tsx'
import { readForm, readSession, signOut, type Web } from '../session.ts'

export const signOutPage = new Hono<Web>()

signOutPage.get('/', async (c) =>
  c.html(
    <Page title="Sign out" person={await readSession(c)}>
      <p>This browser forgets you. Your AI apps stay connected.</p>
      <Form c={c} action="/sign-out">
        <Submit>Sign out</Submit>
      </Form>
    </Page>,
  ),
)

signOutPage.post('/', async (c) => {
  await readForm(c)
  await signOut(c)
  return c.redirect('/', 303)
})
