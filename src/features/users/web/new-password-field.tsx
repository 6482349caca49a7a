import { Button, Group, type PasswordInputProps } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { PasswordStrength } from '#features/auth/web/parts.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { PasswordField } from '#lib/web/ui/form/password-field.tsx'

// 64 letters, digits and signs, so that six bits of a random byte choose one evenly. Characters that look alike (0 O, 1 l I, o)
// are omitted.
const CHARACTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789-_+=@#%!'

/** Returns 14 random characters, 84 bits: too many to guess, and short enough to read out. */
function generatePassword(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(14)), (byte) => CHARACTERS[byte % CHARACTERS.length]).join('')
}

interface NewPasswordFieldProps extends Omit<PasswordInputProps, 'label'> {
	/** The user of the password, as far as typed. */
	person: { name: string; email: string }
	onGenerate: (password: string) => void
}

/** Renders the field for the password of a new account: typed, or generated here and copied to pass on. */
export function NewPasswordField({ person, onGenerate, ...field }: NewPasswordFieldProps) {
	const [generated, setGenerated] = useState('')
	const generate = () => {
		const password = generatePassword()
		setGenerated(password)
		onGenerate(password)
	}
	return (
		<div>
			<PasswordField
				label="Password"
				autoComplete="new-password"
				required
				description={
					<>
						<span>Password must be at least 8 characters long</span>
						<PasswordStrength password={String(field.value ?? '')} person={person} />
					</>
				}
				{...field}
			/>
			<Group gap={8} mt={8}>
				<Button variant="default" size="xs" leftSection={<IconSparkles size={14} aria-hidden />} onClick={generate}>
					Generate password
				</Button>
				{generated !== '' && field.value === generated && (
					<Group component="span" display="inline-flex" gap={4} wrap="nowrap" fz={13} lh="1.25rem">
						<code>{generated}</code> <CopyButton text={generated} what="password" />
					</Group>
				)}
			</Group>
		</div>
	)
}
