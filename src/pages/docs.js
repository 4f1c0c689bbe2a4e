// Enhances the documentation: copy buttons, and the key "/" for search. Everything else works
// without it.

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    // The command without the prompt of the shell.
    const text = block.querySelector('code').textContent.replace(/^\$ /gm, '')
    try {
      await navigator.clipboard.writeText(text.trimEnd())
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Press Ctrl+C'
      getSelection().selectAllChildren(block.querySelector('code'))
    }
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
  block.append(button)
}

document.addEventListener('keydown', (event) => {
  const is_typing = event.target.closest('input, textarea, select, [contenteditable]')
  if (event.key !== '/' || is_typing || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  document.querySelector('.search input').focus()
})

// The current page may be below the fold of a long navigation.
const side = document.querySelector('.side')
const current = side?.querySelector('[aria-current]')
if (current && current.offsetTop > side.clientHeight - 80) side.scrollTop = current.offsetTop - 120
