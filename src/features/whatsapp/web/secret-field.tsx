import type { PasswordInputProps } from '@mantine/core'
import { PasswordField } from '#lib/web/ui/form/password-field.tsx'

interface SecretFieldProps extends PasswordInputProps {
	label: string
	/** As the server masks the one that it has; empty when it has none. */
	saved: string | undefined
}

/** A secret that is never read back: the field shows a mask, and saving the mask keeps the stored secret. */
export function SecretField({ label, saved = '', required = false, ...rest }: SecretFieldProps) {
	const isUntouched = saved !== '' && rest.value === saved
	const kept = `Saved. Only its end is shown. Leave it unchanged to keep it, or paste a new one.`
	return (
		<PasswordField
			{...rest}
			label={label}
			what={label}
			required={required}
			// With any other value, the browser would fill in the user's own password.
			autoComplete="new-password"
			spellCheck={false}
			description={isUntouched ? kept : required ? undefined : 'Optional'}
			onFocus={(event) => {
				rest.onFocus?.(event)
				// A new secret replaces the whole mask, never a part of it.
				if (isUntouched) event.currentTarget.select()
			}}
		/>
	)
}
