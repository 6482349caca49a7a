import { Box, Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef } from 'react'
import { PasswordStrength } from '#features/auth/web/parts.tsx'
import { PasswordField } from '#lib/web/ui/form/password-field.tsx'

export interface ProfileValues extends Record<string, unknown> {
	name: string
	email: string
	currentPassword: string
	newPassword: string
}

interface PasswordSectionProps {
	form: UseFormReturnType<ProfileValues>
	busy: boolean
	onClose: () => void
}

/** Renders the part of the profile form that changes the password. Closing it keeps the current password. */
export function PasswordSection({ form, busy, onClose }: PasswordSectionProps) {
	const first = useRef<HTMLInputElement>(null)
	useEffect(() => first.current?.focus(), [])
	const close = () => {
		form.setValues({ currentPassword: '', newPassword: '' })
		form.clearFieldError('currentPassword')
		form.clearFieldError('newPassword')
		onClose()
	}
	return (
		<Stack component="fieldset" className="surface" m={0} p={16}>
			<Box component="legend" px={6} fw={600}>
				Change Password
			</Box>
			<PasswordField
				label="Current Password"
				what="current password"
				autoComplete="current-password"
				required
				ref={first}
				{...form.getInputProps('currentPassword')}
			/>
			<PasswordField
				label="New Password"
				what="new password"
				autoComplete="new-password"
				description={
					<>
						<span>You stay signed in here and are signed out everywhere else.</span>
						<PasswordStrength password={form.values.newPassword} person={form.values} />
					</>
				}
				required
				{...form.getInputProps('newPassword')}
			/>
			<Group>
				<Button variant="subtle" onClick={close} disabled={busy}>
					Cancel password change
				</Button>
			</Group>
		</Stack>
	)
}
