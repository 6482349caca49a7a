import { Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { lookUpNumber } from '#lib/phone-plan.ts'
import { displayNumber } from '#lib/phone.ts'

/** How a typed number is understood, and whether it is likely: once the numbering plans have loaded. */
export function NumberHint({ number }: { /** In the canonical form. */ number: string }) {
	const lookUp = useNumberingPlans()
	const { country = null, doubt = null } = lookUp?.(number) ?? {}
	const understood = `Understood as ${displayNumber(number)}${country ? ` (${country})` : ''}`
	if (!doubt) return <>{understood}</>
	return (
		<Text span inherit c="var(--app-warn-text)">
			{understood}. {doubt}: please check it.
		</Text>
	)
}

/** Undefined until they are there, and for good where they cannot be loaded: then a number is shown without them. */
function useNumberingPlans(): typeof lookUpNumber | undefined {
	const [lookUp, setLookUp] = useState<typeof lookUpNumber>()
	useEffect(() => {
		let isGone = false
		void import('#lib/phone-plan.ts').then(
			(plan) => !isGone && setLookUp(() => plan.lookUpNumber),
			() => undefined,
		)
		return () => {
			isGone = true
		}
	}, [])
	return lookUp
}
