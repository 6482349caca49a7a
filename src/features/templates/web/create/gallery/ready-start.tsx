import { Button, Group } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from '#lib/web/router/hooks.ts'
import { latePart } from '#lib/web/ui/late-part.tsx'
import type { SectionProps } from '../sections/section-props.ts'
import styles from './gallery.module.css'

// Loaded separately, because the texts are as large as the form.
const Gallery = latePart(() => import('./gallery.tsx').then((module) => module.Gallery))

interface ReadyStartProps extends Pick<SectionProps, 'form'> {
	isTouched: boolean
}

/** Renders the button that opens the ready texts, and the next step after one was chosen. `?gallery=1` opens them. */
export function ReadyStart({ form, isTouched }: ReadyStartProps) {
	const [search] = useSearchParams()
	const [opened, setOpened] = useState(search.get('gallery') === '1')
	const [sentence, setSentence] = useState<string | null>(null)
	return (
		<Group justify="space-between" gap="8px 16px">
			<p className={`quiet ${styles.start}`} role="status">
				{sentence ??
					'Ready texts for festivals, orders, bills and appointments, in English and Hindi, and WhatsApp’s library.'}
			</p>
			<Button
				variant="default"
				leftSection={<IconSparkles size={16} aria-hidden />}
				aria-haspopup="dialog"
				onPointerEnter={Gallery.preload}
				onFocus={Gallery.preload}
				onClick={() => setOpened(true)}
			>
				Start from a ready text
			</Button>
			<Gallery
				opened={opened}
				onClose={() => setOpened(false)}
				isTouched={isTouched}
				onChoose={(fields, shown) => {
					form.clearErrors()
					form.setValues(fields)
					setSentence(shown)
					setOpened(false)
				}}
			/>
		</Group>
	)
}
