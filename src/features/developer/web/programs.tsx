import { Group, Select, Stack } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'

interface ProgramsProps {
	title: string
	hint: string
	/** Label of the choice between the languages. */
	label: string
	/** Complete programs, one per language. */
	programs: readonly { label: string; text: string }[]
}

/** Shows the same program in several languages, to be copied. */
export function Programs({ title, hint, label, programs }: ProgramsProps) {
	const names = programs.map((program) => program.label)
	const [shown, setShown] = useState(names[0] ?? '')
	const text = programs.find((program) => program.label === shown)?.text ?? ''
	return (
		<Card title={title} hint={hint}>
			<Stack gap={12}>
				<Group align="end" gap={8} wrap="nowrap">
					<Select
						label={label}
						maw={240}
						data={names}
						allowDeselect={false}
						value={shown}
						onChange={(name) => setShown(name ?? shown)}
					/>
					<Group h="var(--app-control)">
						<CopyButton text={text} what={`${shown} example`} />
					</Group>
				</Group>
				<pre className="framed" style={{ margin: 0, padding: 12, overflow: 'auto' }} tabIndex={0}>
					{text}
				</pre>
			</Stack>
		</Card>
	)
}
