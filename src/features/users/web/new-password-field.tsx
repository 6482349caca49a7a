import { Button, Group, type PasswordInputProps } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { PasswordStrength } from '#features/auth/web/parts.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { PasswordField } from '#lib/web/ui/form/password-field.tsx'
import { generatePassword } from './manage/generate-password.ts'
import styles from './new-password-field.module.css'

interface NewPasswordFieldProps extends Omit<PasswordInputProps, 'label'> {
	/** Whose it will be, as far as that is typed. */
	person: { name: string; email: string }
	onGenerate: (password: string) => void
}

/** The password of a new account: typed, or made here and copied for whoever will use it. */
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
					<span className={styles.generated}>
						<code>{generated}</code> <CopyButton text={generated} what="password" />
					</span>
				)}
			</Group>
		</div>
	)
}
