import { useRef, useState } from 'react'
import { useFlorin, useRefresh } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'

export function LogoUpload({ logo_url }: { logo_url: string | null }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const input = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<unknown>, done: string) => {
    setError(undefined)
    setBusy(true)
    try {
      await work()
      await refresh()
      showToast(done)
    } catch (rejected) {
      setError(reasonOf(rejected))
    } finally {
      setBusy(false)
    }
  }
  const upload = async (file: File) => {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const image = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    await florin.account.setLogo({ image })
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">PNG, JPEG or WebP, at most 64 KiB and 1024 × 1024 pixels.</p>
      <input
        ref={input}
        type="file"
        aria-label="Logo file"
        accept="image/png,image/jpeg,image/webp"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) run(() => upload(file), 'Logo saved')
        }}
      />
      {error && (
        <p role="alert" className="rounded-lg bg-red-soft p-3 text-red">
          {error}
        </p>
      )}
      <div className="flex gap-2">
        <Button disabled={busy} onClick={() => input.current?.click()}>
          {logo_url === null ? 'Upload logo' : 'Replace logo'}
        </Button>
        {logo_url !== null && (
          <Button
            disabled={busy}
            onClick={() => run(() => florin.account.deleteLogo(), 'Logo deleted')}
          >
            Delete logo
          </Button>
        )}
      </div>
    </div>
  )
}
