import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { payments } from '#features/payments/contract.ts'
import { statementPaths } from '#features/statements/paths.ts'
import { isMissing, messageOf } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { useParams } from '#lib/web/router/hooks.ts'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Missing } from '#lib/web/ui/feedback/missing.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { BackLink } from '#lib/web/ui/layout/back-link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { PageHeader } from '#lib/web/ui/layout/page-header.tsx'
import { PaymentResult } from './payment-result.tsx'
import { useReturn, type PaymentReturn } from './use-return.ts'

/** Milliseconds between two readings of an open payment: soon after the screen has opened, and later. */
const SOON_MS = 2000
const LATER_MS = 10_000
/** Milliseconds after which a confirmation counts as late. */
const LATE_MS = 40_000
/** Milliseconds for which a return without a payment may still be checked. */
const UNPAID_CHECK_MS = 6000

/** Renders the page to which the provider's page returns: the state of the payment's check, then its result. */
export function Payment() {
	const { id = '' } = useParams()
	return (
		<>
			<PageHeader title="Payment" back={<BackLink to={statementPaths.payments} name="Payment Transactions" />} />
			<PaymentOf key={id} id={id} />
		</>
	)
}

function PaymentOf({ id }: { id: string }) {
	const [openedAt] = useState(Date.now)
	const returned = useReturn(id)
	const reading = useQuery({
		...query(payments.one, { params: { paymentId: id } }),
		staleTime: 0,
		refetchInterval: ({ state: { data, dataUpdatedAt } }) => {
			if (data?.payment.state !== 'created') return false
			return returned.status !== null && dataUpdatedAt - openedAt < LATE_MS ? SOON_MS : LATER_MS
		},
	})
	const { data, error, dataUpdatedAt } = reading
	if (!data && isMissing(error))
		return <Missing title="Payment not found" to={statementPaths.payments} name="Payment Transactions" />
	if (!data && error) return <LoadError message={messageOf(error, 'Failed to fetch the payment')} reading={reading} />
	if (!data) return null
	const readForMs = dataUpdatedAt - openedAt
	const isExpected = returned.status === 'paid' || (returned.status !== null && readForMs < UNPAID_CHECK_MS)
	const isChecking = data.payment.state === 'created' && isExpected && returned.error === null
	return (
		<Card narrow>
			<ReturnError returned={returned} />
			<PaymentResult payment={data.payment} isChecking={isChecking} isLate={readForMs >= LATE_MS} />
		</Card>
	)
}

/** Shows why the confirmation of the provider's page was not accepted; offers to send it again when it did not arrive. */
function ReturnError({ returned: { error, retry } }: { returned: PaymentReturn }) {
	if (!error) return null
	const isRefused = error.status >= 400 && error.status < 500
	return (
		<Notice tone="warn" role="alert">
			<p>{messageOf(error, 'The confirmation of your payment did not reach the server.')}</p>
			{!isRefused && (
				<ActionButton variant="default" mt={8} act={async () => retry()} failed={() => {}}>
					Retry
				</ActionButton>
			)}
		</Notice>
	)
}
