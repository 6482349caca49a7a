import { Button } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SetUp } from '#features/dashboards/admin-contract.ts'
import { BelowRate } from '#features/pricing/web/rate-hint.tsx'
import { formatRupees } from '#lib/money.ts'
import { plural } from '#lib/numbers.ts'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { HEALTH, setUpsOf, WATCHED } from './set-up-query.ts'
import styles from './set-up.module.css'

export interface Customer {
	_id: string
	name: string
	isActive: boolean
	/** True until the customer has chosen a password by the mailed link. */
	isInvited: boolean
}

/** Callbacks that open the dialogs of other features. */
export interface SetUpActions {
	onManageKey: (customer: Customer) => void
	onPrices: (customer: Customer & Pick<SetUp, 'marketingPrice' | 'utilityPrice'>) => void
	onRecharge: (customer: Customer & { walletBalance: number }) => void
}

interface Step {
	title: string
	isDone: boolean
	/** The state, or the action that the step still needs. */
	text: ReactNode
	action?: { word: string; onClick: () => void }
}

/** Renders the steps from a new account to its first campaign, each with its state and the dialog that completes it. */
export function SetUpSteps({ customer, ...actions }: SetUpActions & { customer: Customer }) {
	const reading = useQuery({ ...setUpsOf([customer._id]), ...WATCHED })
	const setUp = reading.data?.setUps[0]
	if (reading.isError && !reading.data)
		return <MissingPart message="The set-up could not be loaded." readings={[reading]} />
	const steps = setUp ? stepsOf(setUp, customer, actions) : []
	const done = steps.filter(({ isDone }) => isDone).length
	const next = steps.find(({ isDone, action }) => !isDone && action)
	return (
		<section aria-label="Set-up" aria-busy={!setUp} className={styles.steps}>
			<p className="quiet" role="status">
				{!setUp ? (
					'Loading the set-up…'
				) : done === steps.length ? (
					<Ready name={customer.name} />
				) : (
					`${done} of ${steps.length} steps done`
				)}
			</p>
			<ol className="bare">
				{steps.map(({ title, isDone, text, action }) => (
					<li key={title} className={styles.step} data-done={isDone}>
						{isDone ? (
							<IconCircleCheckFilled size={20} role="img" aria-label="Done" />
						) : (
							<IconCircle size={20} role="img" aria-label="To do" />
						)}
						<div className="whole">
							<b>{title}</b>
							<p className="quiet">{text}</p>
						</div>
						{action && (
							<Button variant={title === next?.title ? 'filled' : 'default'} onClick={action.onClick}>
								{action.word}
							</Button>
						)}
					</li>
				))}
			</ol>
		</section>
	)
}

function Ready({ name }: { name: string }) {
	return (
		<>
			Set-up complete: <UserText text={name} /> can send campaigns.
		</>
	)
}

function stepsOf(setUp: SetUp, customer: Customer, { onManageKey, onPrices, onRecharge }: SetUpActions): Step[] {
	const { marketingPrice, utilityPrice, balance, canPay, approvedTemplates } = setUp
	return [
		{ title: 'Account', isDone: customer.isActive && !customer.isInvited, text: accountText(customer) },
		{
			title: 'WhatsApp key',
			isDone: HEALTH.Key(setUp),
			text: keyText(setUp),
			action: { word: 'Manage Key', onClick: () => onManageKey(customer) },
		},
		{
			title: 'Prices',
			isDone: marketingPrice > 0 && utilityPrice > 0,
			text: <PricesText of={setUp} />,
			action: { word: 'Edit Prices', onClick: () => onPrices({ ...customer, marketingPrice, utilityPrice }) },
		},
		{
			title: 'Balance',
			isDone: HEALTH.Balance(setUp),
			text: canPay
				? `${formatRupees(balance)} in the wallet.`
				: `${formatRupees(balance)} is too little for a message.`,
			action: { word: 'Add Recharge', onClick: () => onRecharge({ ...customer, walletBalance: balance }) },
		},
		{ title: 'Webhook', isDone: HEALTH.Webhook(setUp), text: <WebhookText of={setUp} /> },
		{
			title: 'Template',
			isDone: HEALTH.Template(setUp),
			text:
				approvedTemplates > 0
					? `${plural(approvedTemplates, 'template')} approved.`
					: 'No approved template yet. The customer can create one, or sync existing ones from Meta.',
		},
	]
}

function PricesText({ of: { marketingPrice, utilityPrice, hasDefaultPrices } }: { of: SetUp }) {
	return (
		<>
			{hasDefaultPrices && 'Default prices: '}
			{formatRupees(marketingPrice)} for a marketing message, {formatRupees(utilityPrice)} for a utility message.{' '}
			<BelowRate marketing={marketingPrice} utility={utilityPrice} />
		</>
	)
}

function accountText({ isActive, isInvited }: Customer): string {
	if (!isActive) return 'Inactive: the customer cannot sign in. Activate the account in Manage Users.'
	return isInvited ? 'We emailed a link. The customer has not set a password yet.' : 'The customer can sign in.'
}

function keyText({ key, keyProblem, phoneNumber }: SetUp): string {
	if (key === 'missing') return 'Enter the IDs and the token from Meta.'
	if (key === 'problem') return keyProblem ?? 'WhatsApp refuses the key.'
	return phoneNumber ? `Works for ${phoneNumber}.` : 'Works.'
}

function WebhookText({ of: { key, webhookAt, isSilent } }: { of: SetUp }) {
	if (key === 'missing') return 'Connects when you have saved the key.'
	if (isSilent) return 'Messages are sent, but no delivery updates arrive. Check the webhook address in Manage Key.'
	if (webhookAt === null) return 'Nothing received yet. To test, send “Hi” from any phone to the number.'
	return (
		<>
			Connected. Last update from WhatsApp: <DateTime iso={webhookAt} as="relative" />.
		</>
	)
}
