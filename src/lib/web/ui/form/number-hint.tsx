import { Text } from '@mantine/core'
import { displayNumber } from '#lib/phone/phone.ts'
import { loadNumberReader } from '#lib/web/number-reader.ts'
import { useLoaded } from '#lib/web/use-loaded.ts'

interface NumberHintProps {
	typed: string
	/** Hint about the expected input, shown while no number is recognised. */
	otherwise?: string
}

/** Shows how a typed number is read, and whether it is plausible. */
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
