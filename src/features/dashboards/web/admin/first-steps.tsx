import { Box, Stack } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { userPaths } from '#features/users/paths.ts'
import { walletPaths } from '#features/wallet/paths.ts'
import { Link } from '#lib/web/router/link.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import styles from './first-steps.module.css'

const STEPS = [
	{
		to: userPaths.create,
		title: 'Create a user',
		hint: 'With the name, email and password of the shop.',
	},
	{
		to: userPaths.manage,
		title: 'Save their credentials',
		hint: 'Manage Key in the row of the user: the IDs and the token from Meta.',
	},
	{
		to: walletPaths.recharge,
		title: 'Recharge their wallet',
		hint: 'It pays for the user’s messages, at the user’s prices.',
	},
]

/** Renders the steps that an admin takes before a new customer can send the first campaign. */
export function FirstSteps() {
	return (
		<Card title="Next steps for a new customer" flush>
			<ol className="bare">
				{STEPS.map(({ to, title, hint }, index) => (
					<li key={to} className="ruled">
						<Link to={to} className={styles.step}>
							<span className={`disc ${styles.number}`} aria-hidden>
								{index + 1}
							</span>
							<Stack component="span" className="grow" gap={0}>
								<Box component="span" fw={600} c="var(--app-text)">
									{title}
								</Box>
								<span className="quiet">{hint}</span>
							</Stack>
							<IconChevronRight size={18} aria-hidden />
						</Link>
					</li>
				))}
			</ol>
		</Card>
	)
}
