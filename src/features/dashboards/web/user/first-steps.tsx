import { Anchor } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from 'react-router'
import { contactPaths } from '#features/contacts/paths.ts'
import { templatePaths } from '#features/templates/paths.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { AskAdmin } from '#lib/web/ui/value/ask-admin.tsx'
import type { Dashboard } from './dashboard-tiles.tsx'
import styles from './user-dashboard.module.css'

interface Step {
	key: keyof Dashboard['steps']
	text: string
	/** The action that the step still needs, and `to`, the route of the screen for it. */
	hint: string
	to?: string
	isForAdmin?: boolean
}

const STEPS: readonly Step[] = [
	{
		key: 'credentials',
		text: 'Connect WhatsApp',
		hint: 'Your administrator enters the credentials of your WhatsApp account.',
		isForAdmin: true,
	},
	{
		key: 'template',
		text: 'Get a template approved',
		hint: 'Create a template, or sync the ones you have',
		to: templatePaths.list,
	},
	{ key: 'contacts', text: 'Add contacts', hint: 'Add or upload your contacts', to: contactPaths.upload },
	{
		key: 'recharge',
		text: 'Add money to your wallet',
		hint: 'Your administrator recharges your wallet once you have paid.',
		isForAdmin: true,
	},
]

/** Renders the setup steps of a new account; nothing once all are done. */
export function FirstSteps({ steps }: { steps: Dashboard['steps'] }) {
	const done = STEPS.filter(({ key }) => steps[key]).length
	if (done === STEPS.length) return null
	return (
		<Card title="First steps" hint={`${done} of ${STEPS.length} done`}>
			<ol className={`bare ${styles.steps}`}>
				{STEPS.map(({ key, text, hint, to, isForAdmin }) => (
					<li key={key} data-done={steps[key]}>
						{steps[key] ? (
							<IconCircleCheckFilled size={20} role="img" aria-label="Done" />
						) : (
							<IconCircle size={20} role="img" aria-label="To do" />
						)}
						<div>
							<b>{text}</b>
							{!steps[key] && (
								<p className="quiet">
									{to ? <StepLink to={to}>{hint}</StepLink> : hint} {isForAdmin && <AskAdmin />}
								</p>
							)}
						</div>
					</li>
				))}
			</ol>
		</Card>
	)
}

function StepLink({ to, children }: { to: string; children: string }) {
	return (
		<Anchor component={Link} to={to} inherit>
			{children}
		</Anchor>
	)
}
