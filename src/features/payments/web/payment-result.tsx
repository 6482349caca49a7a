import { Button, Group, Loader } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock, IconCreditCardPay, type Icon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { campaignPaths } from '#features/campaigns/paths.ts'
import type { PaymentRow } from '#features/payments/contract.ts'
import { wallet } from '#features/wallet/contract.ts'
import { methodName } from '#features/wallet/rules.ts'
import { formatRupees } from '#lib/money.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import { Money } from '#lib/web/ui/value/money.tsx'
import type { Tone } from '#lib/web/ui/value/tone-badge.tsx'
import { AddMoneyButton } from './add-money-button.tsx'
import { ContinueButton, ReceiptButton } from './payment-buttons.tsx'
import { wordsOf } from './payment-words.ts'

interface PaymentResultProps {
	payment: PaymentRow
	/** True from the return until the payment's state is known. */
	isChecking: boolean
	/** True when the check has taken long. */
	isLate: boolean
}

/** Shows the state of a payment, its meaning for the wallet, and the next action. */
export function PaymentResult({ payment, isChecking, isLate }: PaymentResultProps) {
	const { title, text, tone } = wordsOf(payment)
	return (
		<div className="stack">
			<div role="status">
				{isChecking ? (
					<EmptyState
						title="Checking your payment…"
						hint={isLate ? LATE : 'This takes a few seconds.'}
						icon={<Loader size={32} aria-hidden />}
						action={isLate && <BackButton back={payment.back} variant="default" />}
					/>
				) : (
					<EmptyState
						title={title}
						hint={payment.state === 'paid' && payment.problem === null ? <NewBalance text={text} /> : text}
						icon={<StateIcon tone={tone} state={payment.state} />}
						action={<Actions payment={payment} />}
					/>
				)}
			</div>
			<PaymentFacts payment={payment} />
		</div>
	)
}

const LATE =
	'Your bank has not confirmed it yet. You need not wait here: the money is added as soon as it does, and you get a notification.'

const TONE_ICONS: Partial<Record<Tone, Icon>> = { ok: IconCircleCheck, warn: IconAlertTriangle }

function StateIcon({ tone, state }: { tone: Tone; state: PaymentRow['state'] }) {
	const Icon = TONE_ICONS[tone] ?? (state === 'created' ? IconClock : IconCreditCardPay)
	const colour = TONE_ICONS[tone] ? `var(--app-${tone}-text)` : undefined
	return <Icon size={32} stroke={1.5} style={{ color: colour }} aria-hidden />
}

/** Shows the balance of the wallet after the payment. A balance that was read before the payment is not shown. */
function NewBalance({ text }: { text: string }) {
	const { data, isFetching } = useQuery({ ...query(wallet.balance), staleTime: 0 })
	if (text) return text
	if (!data || isFetching) return 'Reading your balance…'
	return (
		<>
			New balance <b className="figures">{formatRupees(data.walletBalance)}</b>
			{data.owed > 0 && `. ${formatRupees(data.owed)} is still owed.`}
		</>
	)
}

function Actions({ payment }: { payment: PaymentRow }) {
	const { state, url, receiptId, notes, amount, back, problem } = payment
	const isUnpaid = (state === 'expired' || state === 'cancelled') && problem === null
	const hasPrimary = isUnpaid || url !== null
	return (
		<Group justify="center" gap={8}>
			{url && <ContinueButton url={url}>Continue to payment</ContinueButton>}
			{isUnpaid && <AddMoneyButton request={{ amount, ...(back && { back }) }}>Try again</AddMoneyButton>}
			{receiptId !== null && (
				<ReceiptButton id={receiptId} notes={notes}>
					Download receipt
				</ReceiptButton>
			)}
			<BackButton back={back} variant={hasPrimary ? 'default' : 'filled'} />
		</Group>
	)
}

/** Leads to the screen on which the payment began, such as the refused campaign. */
function BackButton({ back, variant }: Pick<PaymentRow, 'back'> & { variant: 'default' | 'filled' }) {
	if (!back) return null
	return (
		<Button component={Link} to={back} variant={variant}>
			{back.split('?')[0] === campaignPaths.create ? 'Back to the campaign' : 'Back to where you were'}
		</Button>
	)
}

function PaymentFacts({ payment }: { payment: PaymentRow }) {
	const { amount, tax, total, refunded, method, reference, createdAt, paidAt } = payment
	return (
		<Facts
			ruled
			of={{
				'For your wallet': <Money rupees={amount} />,
				GST: tax > 0 && <Money rupees={tax} />,
				Total: tax > 0 && <Money rupees={total} />,
				Refunded: refunded > 0 && <Money rupees={refunded} />,
				Method: methodName(method),
				[paidAt ? 'Paid' : 'Started']: <DateTime iso={paidAt ?? createdAt} />,
				Reference: reference,
			}}
		/>
	)
}
