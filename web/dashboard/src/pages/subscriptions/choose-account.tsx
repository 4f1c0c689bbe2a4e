/** For those who run the service, on pages that are about one account. */
export function ChooseAccount({ to }: { to: string }) {
  return (
    <p className="rounded-xl border border-line bg-card p-5 text-muted">
      You see all accounts. Choose one above to {to}.
    </p>
  )
}
