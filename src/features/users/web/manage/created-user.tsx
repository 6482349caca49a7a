import { Button, CopyButton, Group, Stack } from '@mantine/core'
import { IconCopy, IconKey, IconPlus } from '@tabler/icons-react'
import type { SessionUser } from '#features/auth/contract.ts'
import { authPaths } from '#features/auth/paths.ts'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'

export interface Created {
	user: SessionUser
	/** The typed password; null when a link was mailed. Only this page holds it. */
	password: string | null
}

export interface CreatedUserProps extends Created {
	/** Callbacks that open other features' dialogs, for the steps before a new account can send. */
	onManageKey: (user: SessionUser) => void
	onRecharge: (user: SessionUser) => void
	onDismiss: () => void
}

/** Shows the sign-in details of a created account to pass on, and the steps before it can send. Stays until it is dismissed. */
export function CreatedUser({ user, password, onManageKey, onRecharge, onDismiss }: CreatedUserProps) {
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
			title={`${user.name} is set up`}
			hint={hintOf(user, password)}
			actions={
				<Button variant="subtle" color="gray" size="xs" onClick={onDismiss}>
					Dismiss
				</Button>
			}
		>
			<Stack gap={16}>
				<Stack component="dl" className="facts well" gap={4} py={12} px={16}>
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
					{user.role === 'user' && (
						<>
							<Button
								variant="default"
								leftSection={<IconKey size={16} aria-hidden />}
								onClick={() => onManageKey(user)}
							>
								Manage Key
							</Button>
							<Button
								variant="default"
								leftSection={<IconPlus size={16} aria-hidden />}
								onClick={() => onRecharge(user)}
							>
								Add Recharge
							</Button>
						</>
					)}
				</Group>
			</Stack>
		</Card>
	)
}

function hintOf({ isActive, role }: Created['user'], password: string | null): string {
	if (password === null) return 'A link to choose the password is on its way to them.'
	if (!isActive) return 'The account is inactive: nobody can sign in until you activate it in Manage Users.'
	const rest = 'The password is shown here until you leave this page.'
	return role === 'user' ? `They can sign in now, and send once they have a key and a balance. ${rest}` : rest
}
