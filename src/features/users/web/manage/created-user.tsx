import { Button, CopyButton, Group, Stack } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SessionUser } from '#features/auth/contract.ts'
import { authPaths } from '#features/auth/paths.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import styles from './created-user.module.css'

export interface Created {
	user: SessionUser
	/** The typed password; null when a link was mailed. Only this page holds it. */
	password: string | null
}

export interface CreatedUserProps {
	created: Created
	/** Renders the steps of a new customer, whose dialogs belong to other features. */
	setUpOf: (created: Created) => ReactNode
	onDismiss: () => void
}

/** Shows the sign-in details of a created account to pass on, and the steps before it can send. Stays until it is dismissed. */
export function CreatedUser({ created, setUpOf, onDismiss }: CreatedUserProps) {
	const { user, password } = created
	const { origin } = window.location
	const facts = [
		['Address', origin + authPaths.login],
		['Email', user.email],
		...(password === null ? [] : [['Password', password]]),
	]
	const details = facts.map(([label, value]) => `${label}: ${value}`).join('\n')
	return (
		<Card
			narrow
			title={titleOf(created)}
			hint={hintOf(created)}
			actions={
				<Button variant="subtle" color="gray" size="xs" onClick={onDismiss}>
					Dismiss
				</Button>
			}
		>
			<Stack gap={16}>
				<Stack component="dl" className={`facts well ${styles.facts}`} gap={4} py={12} px={16}>
					{facts.map(([label, value]) => (
						<div key={label}>
							<dt>{label}</dt>
							<dd>
								<UserText text={value ?? ''} />
							</dd>
						</div>
					))}
				</Stack>
				<Group gap={8}>
					<CopyButton value={details} timeout={1500}>
						{({ copied, copy }) => (
							<Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
								{copied ? 'Copied' : 'Copy sign-in details'}
							</Button>
						)}
					</CopyButton>
				</Group>
				{user.role === 'user' && setUpOf(created)}
			</Stack>
		</Card>
	)
}

function titleOf({ user: { name, isActive }, password }: Created): string {
	if (password === null) return `${name} is invited`
	return isActive ? `${name} can sign in` : `${name} is created`
}

function hintOf({ user: { isActive }, password }: Created): string {
	if (password === null) return 'We emailed a link to set the password.'
	const kept = 'Copy the password now: it is shown only until you leave this page.'
	return isActive ? kept : `The account is inactive. Activate it in Manage Users before the first sign-in. ${kept}`
}
