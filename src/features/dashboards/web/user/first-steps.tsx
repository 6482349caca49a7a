import { Anchor } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { campaignPaths } from '#features/campaigns/paths.ts'
import { contactPaths } from '#features/contacts/paths.ts'
import { AddMoneyLink } from '#features/payments/web/parts.tsx'
import { templatePaths } from '#features/templates/paths.ts'
import { appConfig } from '#lib/web/app-config.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { AskAdmin } from '#lib/web/ui/value/ask-admin.tsx'
import type { Dashboard } from './dashboard-tiles.tsx'
import styles from './user-dashboard.module.css'

interface Step {
	key: keyof Dashboard['steps']
	text: string
	/** The sentence under the text of a step that is not done. */
	hint: string
	/** Renders the link or button that takes the step. */
	Action: ComponentType
}

const linkTo = (to: string, text: string) => () => (
	<Anchor component={Link} to={to} inherit underline="always">
		{text}
	</Anchor>
)

const STEPS: readonly Step[] = [
	{
		key: 'credentials',
		text: 'Connect WhatsApp',
		hint: 'Your administrator enters the credentials of your WhatsApp account.',
		Action: AskAdmin,
	},
	{
		key: 'template',
		text: 'Get a template approved',
		hint: 'WhatsApp checks each text before you may send it.',
		Action: linkTo(templatePaths.list, 'Create a template, or sync the ones you have'),
	},
	{
		key: 'contacts',
		text: 'Add contacts',
		hint: 'A CSV or Excel file is enough.',
		Action: linkTo(contactPaths.upload, 'Add or upload your contacts'),
	},
	{
		key: 'recharge',
		text: 'Add money to your wallet',
		...(appConfig.addMoney
			? { hint: 'You pay by UPI, card or net banking.', Action: AddMoneyLink }
			: { hint: 'Your administrator recharges your wallet once you have paid.', Action: AskAdmin }),
	},
	{
		key: 'campaign',
		text: 'Send your first campaign',
		hint: 'You see the price before anything is sent.',
		Action: linkTo(campaignPaths.create, 'Create a campaign'),
	},
]

/** Renders the setup steps of a new account up to its first campaign; nothing once all are done. */
export function FirstSteps({ steps }: { steps: Dashboard['steps'] }) {
	const done = STEPS.filter(({ key }) => steps[key]).length
	if (done === STEPS.length) return null
	// The next step that the account can take without its administrator.
	const next = STEPS.find(({ key, Action }) => !steps[key] && Action !== AskAdmin)
	return (
		<Card title="First steps" hint={`${done} of ${STEPS.length} done`}>
			<ol className={`bare ${styles.steps}`}>
				{STEPS.map(({ key, text, hint, Action }) => (
					<li key={key} data-done={steps[key]} data-next={key === next?.key}>
						{steps[key] ? (
							<IconCircleCheckFilled size={20} role="img" aria-label="Done" />
						) : (
							<IconCircle size={20} role="img" aria-label="To do" />
						)}
						<div>
							<b>{text}</b>
							{!steps[key] && (
								<p className="quiet">
									{hint} <Action />
								</p>
							)}
						</div>
					</li>
				))}
			</ol>
		</Card>
	)
}
