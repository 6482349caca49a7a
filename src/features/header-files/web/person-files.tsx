import { Button, FileButton, Group, Progress, Radio, Select } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import { headerFiles } from '#features/header-files/contract.ts'
import { NOTHING_CHOSEN, type FileChoice, type FileMatch } from '#features/header-files/match-contract.ts'
import type { FileKind } from '#features/header-files/rules.ts'
import { formatCount, plural } from '#lib/numbers.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { fileSize } from '#lib/web/files/file-size.ts'
import { briefToast } from '#lib/web/toast.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { FoundFiles } from './found-files.tsx'
import { useFileUpload, type UploadState } from './use-file-upload.ts'

const ACCEPTED: Record<FileKind, string> = {
	DOCUMENT: '.pdf,.zip',
	IMAGE: '.jpg,.jpeg,.png,.zip',
	VIDEO: '.mp4,.zip',
}
const KIND_WORDS: Record<FileKind, string> = { DOCUMENT: 'PDFs', IMAGE: 'pictures', VIDEO: 'videos' }

export interface PersonFilesProps {
	kind: FileKind
	/** Null for one file for everybody. `set` is empty before the first upload. */
	choice: FileChoice | null
	onChange: (choice: FileChoice | null) => void
	/** The columns of the recipients' file, or the custom fields of contacts. */
	columns: readonly string[]
	/** Undefined until it is known, null without files. */
	match: FileMatch | null | undefined
	/** Called when more files are there, so that the match is read again. */
	onUploaded: () => void
	error: React.ReactNode
}

/** Asks for one header file for everybody or one for each person, takes the files and shows who gets which. */
export function PersonFiles({ kind, choice, onChange, columns, match, onUploaded, error }: PersonFilesProps) {
	const onSet = (set: string) => onChange({ ...(choice ?? NOTHING_CHOSEN), set })
	const upload = useFileUpload({ kind, setId: choice?.set ?? '', onSet, onDone: onUploaded })
	return (
		<div className="stack" data-path="headerFiles" tabIndex={-1}>
			<Radio.Group
				label="File in the header"
				value={choice ? 'each' : 'one'}
				onChange={(value) => onChange(value === 'each' ? NOTHING_CHOSEN : null)}
			>
				<Group gap={24} mt={8}>
					<Radio value="one" label="One file for everybody" />
					<Radio value="each" label="A file for each person" />
				</Group>
			</Radio.Group>
			{choice && (
				<>
					<Group gap={12}>
						<FileButton multiple accept={ACCEPTED[kind]} onChange={(files) => void upload.add(files)}>
							{(props) => (
								<Button {...props} variant="default" disabled={upload.status === 'running'}>
									Choose {KIND_WORDS[kind]} or a ZIP
								</Button>
							)}
						</FileButton>
						{upload.set && (
							<span className="quiet" role="status">
								{plural(upload.set.files, 'file')}, {fileSize(upload.set.bytes)}
							</span>
						)}
					</Group>
					{typeof error === 'string' && !upload.set && (
						<p className="quiet faulty" role="alert">
							{error}
						</p>
					)}
					<UploadProgress upload={upload} onPause={upload.pause} onResume={upload.resume} />
					<RuleChoice {...{ choice, onChange, columns, ensureSet: upload.ensureSet }} />
					{match && <AddressedFiles {...{ match, upload, set: choice.set, onForgotten: onUploaded }} />}
					{match && <FoundFiles set={choice.set} match={match} />}
				</>
			)}
		</div>
	)
}

interface UploadProgressProps {
	upload: UploadState
	onPause: () => void
	onResume: () => void
}

function UploadProgress({ upload, onPause, onResume }: UploadProgressProps) {
	const { status, chosen, done, zipPart, refused, refusedCount, error } = upload
	const part = zipPart ?? (chosen > 0 ? done / chosen : 0)
	return (
		<>
			{status !== 'idle' && (
				<>
					<Group gap={12} justify="space-between">
						<span role="status">
							{status === 'paused' ? 'Paused' : zipPart === 1 ? 'Unpacking the ZIP' : 'Uploading'}: {formatCount(done)}{' '}
							of {formatCount(chosen)}
						</span>
						<Button size="compact-sm" variant="subtle" onClick={status === 'paused' ? onResume : onPause}>
							{status === 'paused' ? 'Resume' : 'Pause'}
						</Button>
					</Group>
					<Progress value={Math.round(part * 100)} aria-label="Uploading the files" />
				</>
			)}
			{error && (
				<Notice tone="warn" title="The upload has stopped">
					{error}
				</Notice>
			)}
			{refusedCount > 0 && (
				<details>
					<summary className="faulty">{plural(refusedCount, 'file')} could not be taken</summary>
					<ul>
						{refused.map(({ name, reason }, index) => (
							<li key={`${index}-${name}`}>
								<UserText text={name} />: {reason}
							</li>
						))}
					</ul>
				</details>
			)}
		</>
	)
}

interface AddressedFilesProps {
	match: FileMatch
	upload: ReturnType<typeof useFileUpload>
	set: string
	/** Called when refused addresses may be fetched again, so that the match is read again. */
	onForgotten: () => void
}

/** Offers to fetch the files whose addresses the list has. The match names some addresses at a time, until none is left. */
function AddressedFiles({ match, upload, set, onForgotten }: AddressedFilesProps) {
	const { addresses, unfetched, refused } = match
	const isFetching = useRef(false)
	const fetchNext = useEffectEvent((next: readonly string[]) => {
		if (next.length === 0) isFetching.current = false
		if (isFetching.current && upload.status === 'idle') void upload.add(next, 0)
	})
	useEffect(() => fetchNext(addresses), [addresses])
	const start = () => {
		isFetching.current = true
		void upload.add(addresses, unfetched)
	}
	const again = async () => {
		try {
			await call(headerFiles.forgetRefused, { params: { id: set } })
			onForgotten()
		} catch (error) {
			briefToast.error(messageOf(error, 'The addresses could not be tried again'))
		}
	}
	return (
		<Group gap={12}>
			{unfetched > 0 && (
				<Button variant="default" disabled={upload.status !== 'idle'} onClick={start}>
					Fetch {plural(unfetched, 'file')} from {unfetched === 1 ? 'its address' : 'their addresses'}
				</Button>
			)}
			{refused > 0 && unfetched === 0 && (
				<Button variant="subtle" disabled={upload.status !== 'idle'} onClick={() => void again()}>
					Try the refused addresses again
				</Button>
			)}
		</Group>
	)
}

interface RuleChoiceProps {
	choice: FileChoice
	onChange: (choice: FileChoice) => void
	columns: readonly string[]
	/** Returns the id of the set, which it creates before the first file. */
	ensureSet: () => Promise<string>
}

/** Asks how the file of a person is found, and what people without one get. */
function RuleChoice({ choice, onChange, columns, ensureSet }: RuleChoiceProps) {
	// A list may hold addresses, of which the match needs a set before any file is uploaded.
	const choose = async (tag: string | null) => {
		try {
			onChange({ ...choice, tag: tag ?? undefined, set: await ensureSet() })
		} catch (error) {
			briefToast.error(messageOf(error, 'The column could not be chosen'))
		}
	}
	return (
		<>
			<Radio.Group
				label="How files are matched to people"
				value={choice.by}
				onChange={(by) => onChange({ ...choice, by: by === 'column' ? 'column' : 'number' })}
			>
				<Group gap={24} mt={8}>
					<Radio value="number" label="The file name contains the phone number" />
					<Radio value="column" label="A column or field has the file name or https address" />
				</Group>
			</Radio.Group>
			{choice.by === 'column' && (
				<Select
					label="Column with the names or addresses"
					placeholder="Choose a column"
					data={[...new Set(columns)]}
					value={choice.tag ?? null}
					onChange={(tag) => void choose(tag)}
					searchable
					required
				/>
			)}
			<Radio.Group
				label="People without a file"
				value={choice.missing}
				onChange={(value) => onChange({ ...choice, missing: value === 'leave-out' ? 'leave-out' : 'campaign-file' })}
			>
				<Group gap={24} mt={8}>
					<Radio value="leave-out" label="Get no message" />
					<Radio value="campaign-file" label="Get the template’s file" />
				</Group>
			</Radio.Group>
		</>
	)
}
