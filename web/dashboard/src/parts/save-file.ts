/** Saves text as a file through the browser's download. */
export function saveFile(name: string, text: string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Late enough for the browser to have started reading the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
