import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '#lib/web/query.ts'
import { auth } from '../contract.ts'
import { strengthOf, type NamedPerson, type Strength } from '../guessable.ts'

const WORDS: Record<Strength, string> = {
	common: 'Easy to guess: one of the most common passwords',
	decorated: 'Easy to guess: a common password with little added',
	named: 'Easy to guess: contains the name, the email or the product’s name',
	monotonous: 'Easy to guess: few different characters',
	short: 'Short: longer is safer',
	good: 'Good',
}

export interface PasswordStrengthProps {
	password: string
	person: NamedPerson
}

/**
 * Renders a hint about how easy a new password is to guess, after the common passwords have loaded. It never blocks the form.
 */
export function PasswordStrength({ password, person }: PasswordStrengthProps) {
	const { data } = useQuery({ ...query(auth.commonPasswords), enabled: password !== '', staleTime: Infinity })
	const common = useMemo(() => data && new Set(data.passwords), [data])
	const strength = common && password !== '' ? strengthOf(password, person, common) : null
	return (
		<Text span inherit display="block" mih="1lh" aria-live="polite" {...(strength && { c: colourOf(strength) })}>
			{strength && WORDS[strength]}
		</Text>
	)
}

function colourOf(strength: Strength): string {
	return strength === 'good' ? 'var(--app-ok-text)' : 'var(--app-warn-text)'
}
