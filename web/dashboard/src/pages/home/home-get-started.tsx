import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMode, useOne, useUser } from '../../api/use-florin.ts'
import { useHasPage } from '../../frame/use-navigation.ts'
import { Card } from '../../parts/card.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'

const test_card = '4242 4242 4242 4242'

interface Step {
  name: string
  text: ReactNode
  done: boolean
  to: string
}

/** The way to the first paid request, ticked by what is really there; gone once one is paid. */
export function GetStarted() {
  const user = useUser()
  const sandbox = useMode() === 'sandbox'
  const paid = useOne(['payments', 'first paid'], async (florin, signal) => {
    const page = await florin.payments.list({ status: 'succeeded', limit: 1 }, { signal })
    return page.data.length > 0
  })
  const needed = paid.data === false
  const made = useExists('payments', needed)
  const keys = useExists('apiKeys', needed && user.may.includes('manage_api_keys'))
  const hooks = useExists('webhookEndpoints', needed && user.may.includes('manage_webhooks'))
  // Nothing is shown before all is known, so that nobody sees a tick come.
  if (!needed || made === undefined) return null
  const steps: (Step | false)[] = [
    {
      name: 'Create a payment request',
      text: 'An amount, who pays, and you have a link to send.',
      done: made,
      to: '/payments',
    },
    {
      name: sandbox ? 'Pay it with the test card' : 'Have it paid',
      text: sandbox ? <TestCard /> : 'Open its link, or send it to your customer.',
      done: false,
      to: '/payments',
    },
    keys !== undefined && {
      name: 'Make an API key',
      text: 'Your own program asks for payments with it.',
      done: keys,
      to: '/api-keys',
    },
    hooks !== undefined && {
      name: 'Add a webhook endpoint',
      text: 'Your server is told as soon as something is paid.',
      done: hooks,
      to: '/webhooks',
    },
  ]
  return <Steps steps={steps.filter((step) => step !== false)} />
}

/** Undefined until it is known, and where nobody asked. */
function useExists(
  noun: 'payments' | 'apiKeys' | 'webhookEndpoints',
  enabled: boolean,
): boolean | undefined {
  const { data } = useOne(
    [noun, 'any'],
    async (florin, signal) => (await florin[noun].list({ limit: 1 }, { signal })).data.length > 0,
    { enabled },
  )
  return data
}

function TestCard() {
  return (
    <>
      <span className="figures whitespace-nowrap">{test_card}</span>
      <CopyButton text={test_card} label="Copy the test card" />
    </>
  )
}

function Steps({ steps }: { steps: Step[] }) {
  const done = steps.filter((step) => step.done).length
  return (
    <Card
      title="Get started"
      className="mb-4"
      action={
        <span className="figures text-xs text-muted">
          {done} of {steps.length} done
        </span>
      }
    >
      <ol className="grid gap-x-8 md:grid-cols-2">
        {steps.map((step, at) => (
          <StepView key={step.name} step={step} number={at + 1} />
        ))}
      </ol>
    </Card>
  )
}

function StepView({ step, number }: { step: Step; number: number }) {
  const hasPage = useHasPage()
  return (
    <li className="relative flex gap-3 border-t border-line py-3">
      <span
        className={`figures grid size-6 shrink-0 place-items-center rounded-full text-xs
 font-semibold ${step.done ? 'bg-brand text-on-brand' : 'border border-line-strong text-muted'}`}
      >
        {step.done ? <Icon name="check" /> : number}
      </span>
      <div className="min-w-0">
        <div className="font-semibold">
          {hasPage(step.to) ? (
            <Link to={step.to as '/'} className="hover:text-brand hover:underline">
              {step.name}
            </Link>
          ) : (
            step.name
          )}
          {step.done && <span className="sr-only"> (done)</span>}
        </div>
        <div className="flex min-h-5 flex-wrap items-center gap-1 text-muted">{step.text}</div>
      </div>
    </li>
  )
}
