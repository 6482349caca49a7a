import { Text } from '@mantine/core'
import { displayNumber } from '#lib/phone.ts'
import { loadNumberReader } from '#lib/web/number-reader.ts'
import { useLoaded } from '#lib/web/use-loaded.ts'

interface NumberHintProps {
	typed: string
	/** What the field expects; shown while no number is read. */
	otherwise?: string
}

/** Shows how a typed number is understood, and whether it is likely. */
export function NumberHint({ typed, otherwise }: NumberHintProps) {
	const reader = useLoaded(loadNumberReader)
	const number = reader?.readNumber(typed) ?? null
	if (!reader || number === null) return <>{otherwise}</>
	const { country, doubt } = reader.lookUpNumber(number)
	const understood = `Understood as ${displayNumber(number)}${country ? ` (${country})` : ''}`
	if (!doubt) return <>{understood}</>
	return (
		<Text span inherit c="var(--app-warn-text)">
			{understood}. {doubt}: please check it.
		</Text>
	)
}
