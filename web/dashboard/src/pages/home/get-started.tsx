import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApiQuery, useTakesCards, useUser } from '../../api/use-florin.ts'
import { useHasPage } from '../../frame/use-navigation.ts'
import { Card } from '../../parts/card.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'

const test_card = '4242 4242 4242 4242'

const by_transfer =
  'The payment page shows how to pay. The operator marks the request as paid when the money ' +
  'arrives.'

interface SetupStep {
  name: string
  text: ReactNode
  /** Undefined while loading. */
  done: boolean | undefined
  to: string
  /** Whether `to` opens its form. */
  creates?: true
}

/** The steps to the first paid request, checked off by the account's actual data. */
export function GetStarted() {
  const { may } = useUser()
  const takes_cards = useTakesCards()
  const may_keys = may.includes('manage_api_keys')
  const may_hooks = may.includes('manage_webhooks')
  const payments = useExists('payments', true)
  const keys = useExists('apiKeys', may_keys)
  const hooks = useExists('webhookEndpoints', may_hooks)
  if (!may.includes('create_payment')) return null
  // After a load error a step must not appear as not done.
  if (payments.isError || keys.isError || hooks.isError) return null
  const steps: (SetupStep | false)[] = [
    {
      name: 'Create a payment request',
      text: 'Enter an amount and an email to get a payment link.',
      done: payments.data,
      to: '/payments',
      creates: true,
    },
    {
      name: takes_cards ? 'Pay it with the test card' : 'Get paid',
      text: takes_cards ? <TestCard /> : by_transfer,
      done: false,
      to: '/payments',
    },
    may_keys && {
      name: 'Create an API key',
      text: 'Your server uses it to call the API.',
      done: keys.data,
      to: '/api-keys',
      creates: true,
    },
    may_hooks && {
      name: 'Add a webhook endpoint',
      text: 'Your server is notified when a payment succeeds.',
      done: hooks.data,
      to: '/webhooks',
      creates: true,
    },
  ]
  return <Steps steps={steps.filter((step) => step !== false)} />
}

function useExists(noun: 'payments' | 'apiKeys' | 'webhookEndpoints', enabled: boolean) {
  return useApiQuery(
    [noun, 'any'],
    async (florin, signal) => (await florin[noun].list({ limit: 1 }, { signal })).data.length > 0,
    { enabled },
  )
}

function TestCard() {
  return (
    <>
      <span className="figures whitespace-nowrap">{test_card}</span>
      <CopyButton text={test_card} label="Copy test card number" />
    </>
  )
}

function Steps({ steps }: { steps: SetupStep[] }) {
  const done = steps.filter((step) => step.done).length
  // Reserves the space of all steps, and shows them only when every state is known, so check marks
  // do not pop in.
  const waiting = steps.some((step) => step.done === undefined)
  return (
    <Card
      title="Get started"
      className="mb-4"
      action={
        <span className={`figures text-xs text-muted ${waiting ? 'invisible' : ''}`}>
          {done} of {steps.length} done
        </span>
      }
    >
      <ol className="grid gap-x-8 md:grid-cols-2" aria-busy={waiting}>
        {steps.map((step, at) => (
          <li key={step.name} className="relative border-t border-line py-3">
            {waiting && <span className="skeleton absolute inset-x-0 inset-y-3" />}
            <div className={`flex gap-3 ${waiting ? 'invisible' : ''}`}>
              <StepView step={step} number={at + 1} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function StepView({ step, number }: { step: SetupStep; number: number }) {
  const hasPage = useHasPage()
  return (
    <>
      <span
        className={`figures grid size-6 shrink-0 place-items-center rounded-full text-xs
 font-semibold ${step.done ? 'bg-brand text-on-brand' : 'border border-line-strong text-muted'}`}
      >
        {step.done ? <Icon name="check" /> : number}
      </span>
      <div className="min-w-0">
        <div className="font-semibold">
          {hasPage(step.to) ? (
            <Link
              to={step.to as '/'}
              search={(step.creates && !step.done ? { create: 'yes' } : {}) as never}
              className="inline-flex items-center gap-1 text-brand hover:underline"
            >
              {step.name}
              <span className="-rotate-90">
                <Icon name="chevron" />
              </span>
            </Link>
          ) : (
            step.name
          )}
          {step.done && <span className="sr-only"> (done)</span>}
        </div>
        <div className="flex min-h-5 flex-wrap items-center gap-1 text-muted">{step.text}</div>
      </div>
    </>
  )
}
