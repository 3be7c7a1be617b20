/** A moment, in words that mean the same everywhere. */
export function When({ at }: { at: number }) {
  const iso = new Date(at).toISOString()
  return <time datetime={iso}>{`${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}</time>
}

/** In the place of forms that need a sign-in of the last 10 minutes. */
export function ConfirmFirst({ next, to }: { next: string; to: string }) {
  return (
    <p>
      <a class="button" href={`/sign-in/again?next=${encodeURIComponent(next)}`}>
        Confirm that it is you
      </a>{' '}
      <span class="hint">to {to}.</span>
    </p>
  )
}
