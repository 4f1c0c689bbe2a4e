import { PageHeader } from './page-header.tsx'

/** For those who look at all accounts, on a page that is about one. */
export function ChooseAccount({ title, what }: { title: string; what: string }) {
  return (
    <>
      <PageHeader title={title} />
      <div className="rounded-xl border border-line bg-card px-4 py-12 text-center">
        <p className="text-base font-semibold">Choose an account.</p>
        <p className="mt-2 text-muted">
          You see all accounts. {what} belong to one: choose it at the top of the page.
        </p>
      </div>
    </>
  )
}
