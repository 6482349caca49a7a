import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

interface PasswordFieldProps extends Omit<PasswordInputProps, 'visible' | 'onVisibilityChange'> {
	label: string
	/** What the button shows and hides. */
	what?: string
}

/** A password input whose button says what it will do. */
export function PasswordField({ error, what = 'password', ...rest }: PasswordFieldProps) {
	const [visible, { toggle }] = useDisclosure(false)
	return (
		<PasswordInput
			{...rest}
			error={error}
			aria-invalid={Boolean(error)}
			visible={visible}
			onVisibilityChange={toggle}
			visibilityToggleButtonProps={{ 'aria-label': `${visible ? 'Hide' : 'Show'} ${what}`, tabIndex: 0 }}
		/>
	)
}
