import { IconPaperclip } from '@tabler/icons-react'
import { useRef } from 'react'
import { ACCEPTED } from '#features/replies/web/attachment.ts'
import { CaptionedIcon } from '#lib/web/ui/layout/captioned-icon.tsx'

export function FilePicker({ onFile }: { onFile: (file: File) => void }) {
	const picker = useRef<HTMLInputElement>(null)
	return (
		<>
			<input
				ref={picker}
				type="file"
				accept={ACCEPTED}
				hidden
				aria-label="File to attach"
				onChange={({ currentTarget }) => {
					const [chosen] = currentTarget.files ?? []
					if (chosen) onFile(chosen)
					// Clears the input, so that the same file can be chosen again.
					currentTarget.value = ''
				}}
			/>
			<CaptionedIcon
				aria-label="Attach a file"
				caption="Attach"
				icon={<IconPaperclip size={20} aria-hidden />}
				onClick={() => picker.current?.click()}
			/>
		</>
	)
}
