import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

interface PasswordFieldProps extends Omit<PasswordInputProps, 'visible' | 'onVisibilityChange'> {
	label: string
	/** Name of the hidden value, for the button. */
	what?: string
}

/** Renders a password input whose button announces its next effect. */
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
