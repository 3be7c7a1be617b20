// Forms with `data-passkey`: before one is sent, the browser makes a passkey ("create") or shows one ("get").
// What it is asked with comes from `data-ask`; what it answers goes into the field `credential`.
/* global SimpleWebAuthnBrowser */
for (const form of document.querySelectorAll('form[data-passkey]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const fault = form.querySelector('.fault')
    const button = form.querySelector('button')
    fault.hidden = true
    button.disabled = true
    try {
      const response = await fetch(form.dataset.ask, { method: 'POST', body: new FormData(form) })
      // A refusal is told by the page itself, beside the field that it is about.
      if (response.ok) {
        const optionsJSON = await response.json()
        const { startRegistration, startAuthentication } = SimpleWebAuthnBrowser
        const start = form.dataset.passkey === 'create' ? startRegistration : startAuthentication
        form.elements.credential.value = JSON.stringify(await start({ optionsJSON }))
      }
      form.submit()
    } catch (error) {
      fault.textContent =
        error.name === 'InvalidStateError'
          ? 'This device has a passkey of your account already.'
          : 'Your browser gave no passkey. Try it again, or use another way.'
      fault.hidden = false
      button.disabled = false
    }
  })
}
