import type { PropsWithChildren } from 'hono/jsx'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Problem } from '../../core/problem.ts'
import type { WebContext } from './session.ts'

/** What is wrong with a form, by field; `''` is about the form as a whole. */
export type Faults = Record<string, string>

/** The faults that a problem tells of, none without one. Anything that is not a problem is thrown on. */
export function faultsOf(error: unknown): Faults {
  if (error === undefined) return {}
  if (!(error instanceof Problem)) throw error
  const { field = '', hint } = error.details
  return { [field]: hint ? `${error.message} ${hint}` : error.message }
}

/** The status of a page that shows what was wrong, if anything was; a header says when it helps to come again. */
export function statusOf(c: WebContext, error: unknown): ContentfulStatusCode {
  if (!(error instanceof Problem)) return 200
  const { retryAfterSeconds } = error.details
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds))
  // One of our own table.
  return error.status as ContentfulStatusCode
}

type FormProps = PropsWithChildren<{
  c: WebContext
  action: string
  faults?: Faults
  data?: Record<string, string>
}>

/** A form of ours: sent by POST, with what `readForm` asks for. */
export function Form({ c, action, faults, children, data }: FormProps) {
  return (
    <form method="post" action={action} {...data}>
      <input type="hidden" name="csrf" value={c.get('csrf')} />
      {faults?.[''] && (
        <p class="fault" role="alert">
          {faults['']}
        </p>
      )}
      {children}
    </form>
  )
}

interface FieldProps {
  label: string
  name: string
  /** Of the input, where its name stands twice on a page. */
  id?: string
  type?: 'text' | 'email' | 'password' | 'number' | 'url' | 'date'
  value?: string
  /** Said below the label, before anything is typed. */
  hint?: string
  faults?: Faults
  autocomplete?: string
  required?: boolean
  min?: number
  max?: number
  maxlength?: number
}

/** One line to fill in, with its label, its hint and what is wrong with it. */
export function Field({
  label,
  name,
  type = 'text',
  hint,
  faults,
  required = true,
  id,
  ...rest
}: FieldProps) {
  const fault = faults?.[name]
  const key = id ?? name
  const described = [hint && `${key}-hint`, fault && `${key}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={`${key}-field`}>{label}</label>
      {hint && (
        <p class="hint" id={`${key}-hint`}>
          {hint}
        </p>
      )}
      <input
        id={`${key}-field`}
        name={name}
        type={type}
        required={required}
        aria-describedby={described || undefined}
        aria-invalid={fault ? 'true' : undefined}
        autocapitalize="none"
        spellcheck={false}
        {...rest}
      />
      {fault && (
        <p class="fault" id={`${key}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

/** What does the form's work. */
export function Submit({ children, kind }: PropsWithChildren<{ kind?: 'primary' | 'quiet' | 'danger' }>) {
  return (
    <button type="submit" class={kind ?? 'primary'}>
      {children}
    </button>
  )
}
